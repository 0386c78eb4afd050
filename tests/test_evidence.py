"""Tests the evidence for causes: reports of people who made the mistake, and what has none yet.

A rule that only its own programs prove may answer a mistake that nobody makes. A page names public
reports (`seen`), or a program of the corpus makes the mistake: those were written before the
rules. `unproven.txt` lists the other causes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.diagnosis.engine.rules import Raised, Rule
from rule_index import rules

LIST = Path(__file__).with_name("unproven.txt")
MOST = 283
"""The length of the list. A new cause comes with a report, so it only gets smaller."""

FOUND_OUTSIDE = frozenset(
    """
    at-set-result-dropped changed-argument-lost diffrax-state-structure impure-host-random
    impure-print layer-without-key linen-module-in-jax-transform linen-params-not-wrapped
    linen-shape-changed new-callable-each-call nnx-foreign-trace optax-arguments-swapped
    pytree-structure-mismatch range-of-tracer reverse-mode-through-while scan-carry-dtype-change
    scan-carry-shape-change shape-grows-each-call shape-mismatch-broadcast shape-mismatch-matmul
    sharding-not-divisible traced-bool-in-not traced-loop-length update-result-dropped
    use-after-donation
    """.split()
)
"""Causes of programs that other people wrote, whose pages name no report yet."""

ADDRESS = re.compile(
    r"https://(?:"
    r"github\.com/[\w-]+/[\w.-]+/(?:issues|discussions|pull)/\d+"
    r"|stackoverflow\.com/questions/\d+"
    r"|forum\.pyro\.ai/t/[\w-]+/\d+"
    r"|discuss\.\w+\.\w+/t/[\w-]+/\d+)"
)

CAUSES = Library()

pytestmark = pytest.mark.cause


def unproven() -> list[str]:
    """Return the causes of the list; a line that begins with # is a comment."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def has_code(rule: Rule[Any]) -> bool:
    """Return whether a rule has a function that recognises the mistake."""
    return not isinstance(rule.recognise, Raised) or rule.recognise.match is not None


@cache
def recognised() -> frozenset[str]:
    """Return the causes that have code of their own."""
    return frozenset(rule.slug for _, rule in rules() if has_code(rule))


def proved() -> frozenset[str]:
    """Return the causes that have a report or a program of the corpus."""
    reported = {slug for slug, cause in CAUSES.items() if cause.seen}
    programs = catalogue().values()
    return frozenset(reported | {it.cause for it in programs if it.folder and not it.is_right})


def test_every_cause_is_proved_or_listed() -> None:
    """A cause with code of its own has evidence, or is in the list of those that have none."""
    without_evidence = recognised() - proved() - FOUND_OUTSIDE
    assert [] == sorted(without_evidence - set(unproven())), "name a report in `seen` of its page"
    assert [] == sorted(set(unproven()) - without_evidence), "proved: take it off unproven.txt"


def test_the_list_gets_shorter() -> None:
    """The list is sorted and names each cause once; a cause that leaves it lowers the maximum."""
    assert unproven() == sorted(set(unproven()))
    assert len(unproven()) == MOST, f"MOST in this file should be {len(unproven())}, if it falls"


def test_no_cause_is_excepted_without_need() -> None:
    """A cause that was found outside has code of its own and no other evidence."""
    assert set() == FOUND_OUTSIDE - (recognised() - proved())


def test_a_report_has_an_address() -> None:
    """What a page has seen are addresses of reports, each once."""
    wrong = {
        slug: cause.seen
        for slug, cause in CAUSES.items()
        if len(set(cause.seen)) < len(cause.seen) or not all(map(ADDRESS.fullmatch, cause.seen))
    }
    assert {} == wrong
