"""Tests the index of the rules, and the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest

import rule_index
from jaxtutor.core.data.observations import kind_of
from jaxtutor.core.diagnosis.engine.rules import Observed, Rule, raised
from rule_index import OrderError, in_order

pytestmark = pytest.mark.cause


def test_the_index_is_that_of_the_rules() -> None:
    """The index names every rule with its classes, message and observations."""
    assert rule_index.FILE.read_text(encoding="utf-8") == rule_index.text(), "run ./dev index"


def test_a_function_is_asked_of_the_kinds_that_it_accepts() -> None:
    """A function that is asked of a kind of observation says so in the type of its argument."""
    wrong = [
        (rule.slug, kind_of(kind), function.__name__)
        for _, rule in rule_index.rules()
        if isinstance(rule.recognise, Observed)
        for kind, function in rule.recognise.pairs
        if kind not in kinds_accepted(function)
    ]
    assert [] == wrong


def kinds_accepted(function: Callable[..., object]) -> tuple[Any, ...]:
    """Return the kinds of observations whose places a function takes."""
    (kinds,) = get_args(get_type_hints(function)["spot"])
    return get_args(kinds) or (kinds,)


def rule(slug: str, *before: str) -> tuple[str, Rule[Any]]:
    """Return a rule of some topic."""
    return "topic", Rule(slug, raised(lambda context: None), before=before)


def test_a_rule_moves_before_those_that_it_names() -> None:
    """A rule with `before` is asked before the causes that it names, others stay in order."""
    found = in_order([rule("a"), rule("b"), rule("c"), rule("d", "b"), rule("e", "d", "c")])
    assert ["a", "e", "d", "b", "c"] == [it.slug for _, it in found]


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
