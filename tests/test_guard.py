"""Tests that a rule that raises costs its own answer only, and that the tests see it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jaxtutor.core.diagnosis.engine.guard import RuleWarning, guarded, guarded_each


def broken() -> int:
    raise KeyError("no such fact")


def broken_late() -> Iterator[int]:
    yield 1
    raise KeyError("no such fact")


def too_deep() -> int:
    raise RecursionError


def test_a_rule_that_raises_is_a_warning_that_names_it() -> None:
    """The warning has the cause, the error and the line at which it was raised."""
    with pytest.warns(RuleWarning, match=r"a-cause raised KeyError at .*test_guard\.py:\d+"):
        assert guarded("a-cause", broken) is None


def test_answers_before_the_error_are_kept() -> None:
    """A rule that raises after some answers has given those."""
    with pytest.warns(RuleWarning, match="a-cause"):
        assert [1] == list(guarded_each("a-cause", broken_late))


def test_the_tests_treat_it_as_an_error() -> None:
    """Under the test suite's filter, a rule that raises fails the test."""
    with pytest.raises(RuleWarning, match="a-cause"):
        guarded("a-cause", broken)


def test_code_nested_too_deeply_is_no_fault() -> None:
    """A RecursionError is no answer and no warning."""
    assert guarded("a-cause", too_deep) is None
