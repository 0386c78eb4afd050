"""Tests the index of the rules, and the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

import pytest

import rule_index
from jaxtutor.core.data.observations import kind_of
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.diagnosis.engine.matches import CallFinding, ExpressionFinding, Finding
from jaxtutor.core.diagnosis.engine.rules import Observed, Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import read_module
from recordings import RECORDED
from rule_index import OrderError, in_order

pytestmark = pytest.mark.cause

TOPICS = {entry.slug: entry.topic for entry in INDEX if entry.kind == "raised"}


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


def test_the_fix_of_a_match_is_that_of_its_type() -> None:
    """Of several fixes, the one that takes the type of a match is asked, and none of another."""
    module = read_module("f.py", "f(x)\n")
    assert module is not None

    def at_call(found: CallFinding) -> Drafts:
        yield Draft(module).replace(found.node, "call")

    def at_expression(found: ExpressionFinding) -> Drafts:
        yield Draft(module).replace(found.node, "expression")

    fix, (call,) = by_match(at_call, at_expression), module.calls
    kinds: tuple[type[Finding], ...] = (CallFinding, ExpressionFinding, Finding)
    drafts = [list(fix(kind(module=module, node=call))) for kind in kinds]
    patches = [draft.patch() for some in drafts for draft in some if draft is not None]
    assert ["call", "expression"] == [edit.text for it in patches if it for edit in it.edits]


# ---------------------------------------------------------------- the pairs that need an order


def matches() -> Iterator[list[str]]:
    """Yield the causes that match each recorded failure, in the order in which they are asked.

    Of the causes, those of another topic than the first are left out.
    """
    for table in RECORDED.glob("*/matches.txt"):
        for line in table.read_text(encoding="utf-8").splitlines():
            first, *others = line.partition(":")[2].split() or [""]
            yield [first, *(it for it in others if TOPICS[it] == TOPICS[first])]


def test_before_names_the_pairs_that_recorded_failures_need() -> None:
    """Of two rules of a topic that match the same failure, the first says so, and no others do."""
    needed = {(first, it) for first, *others in matches() for it in others}
    stated = {(rule.slug, it) for _, rule in rule_index.rules() for it in rule.before}
    assert needed == {pair for pair in stated if TOPICS[pair[0]] == TOPICS[pair[1]]}


def test_the_order_of_the_index_decides_nothing_within_a_topic() -> None:
    """Where the rules stand in reversed order but for `before`, a topic finds the same cause."""
    backwards = in_order(list(rule_index.rules())[::-1])
    place = {it.slug: n for n, (_, it) in enumerate(backwards) if it.kind == "raised"}
    wrong = [
        found for found in matches() if min(found, key=lambda it: place.get(it, 0)) != found[0]
    ]
    assert [] == wrong
