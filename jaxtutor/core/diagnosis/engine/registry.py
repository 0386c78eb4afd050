"""Finds the rules that can match: by the index, without importing the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.index import INDEX, Entry
from jaxtutor.core.diagnosis.engine.rules import Rule

PACKAGE = "jaxtutor.core.diagnosis"
FIXED = frozenset(entry.slug for entry in INDEX if entry.has_fix)
"""The causes for which an edit is known."""


@cache
def rule_of(entry: Entry) -> Rule[Any]:
    """Return the rule of an entry, whose topic is imported the first time."""
    rules: tuple[Rule[Any], ...] = import_module(f"{PACKAGE}.{entry.topic}").RULES
    return next(r for r in rules if (r.slug, r.kind) == (entry.slug, entry.kind))


def raised_rules(context: FailureContext) -> Iterator[Rule[Any]]:
    """Yield the rules whose class and message admit a failure, in the order of the index."""
    for entry in _of_kind("raised"):
        is_admitted = entry.of_any_class or context.is_a(entry.classes)
        if is_admitted and (not entry.message or re.search(entry.message, context.message)):
            yield rule_of(entry)


def decided_by_message(context: FailureContext) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the causes that the class and the message decide, whatever the program is."""
    for entry in _of_kind("raised"):
        said = re.search(entry.alone, context.message) if entry.alone else None
        if said is not None and (entry.of_any_class or context.is_a(entry.classes)):
            yield entry.slug, said


def observed_rules(kind: str) -> Iterator[Rule[Any]]:
    """Yield the rules that are asked of a kind of observation."""
    return (rule_of(entry) for entry in _of_kind("observed") if kind in entry.observations)


def read_rules() -> Iterator[Rule[Any]]:
    """Yield the rules that read the source."""
    return map(rule_of, _of_kind("read"))


def stopped_rules() -> Iterator[Rule[Any]]:
    """Yield the rules that say why a program had not ended, the most certain first."""
    return map(rule_of, _of_kind("stopped"))


def foreseen_rules() -> Iterator[Rule[Any]]:
    """Yield the rules that say what will raise."""
    return map(rule_of, _of_kind("foreseen"))


@cache
def _of_kind(kind: str) -> tuple[Entry, ...]:
    return tuple(entry for entry in INDEX if entry.kind == kind)
