"""Tests the index of the rules, and the order in which they are asked."""

from __future__ import annotations

from typing import Any

import pytest

import rule_index
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from rule_index import OrderError, in_order


def test_the_index_is_that_of_the_rules() -> None:
    """The index names every rule with its classes, message and observations."""
    assert rule_index.FILE.read_text(encoding="utf-8") == rule_index.text(), "run ./dev index"


def rule(slug: str, *before: str) -> tuple[str, Rule[Any]]:
    """Return a rule of some topic."""
    return "topic", Rule(slug, raised(lambda context: None), before=before)


def test_a_rule_moves_before_those_that_it_names() -> None:
    """A rule with `before` is asked before the causes that it names, others stay in order."""
    found = in_order([rule("a"), rule("b"), rule("c", "b")])
    assert ["a", "c", "b"] == [it.slug for _, it in found]


@pytest.mark.parametrize(
    ("rules", "named"),
    [([rule("a", "b"), rule("b", "a")], "a, b"), ([rule("a", "z")], "a: before names z")],
)
def test_an_order_that_does_not_exist_is_refused(
    rules: list[tuple[str, Rule[Any]]], named: str
) -> None:
    """Rules that precede one another, or name an unknown cause, are an error that names them."""
    with pytest.raises(OrderError, match=named):
        in_order(rules)
