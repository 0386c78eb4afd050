"""Owns the tests that submissions which go wrong are named, ended, and leave nothing behind."""

from __future__ import annotations

import pytest

from reliability.hostile import CORE, check_all, made_place, misfit
from reliability.kinds import Expectation, Kind, find, make

KINDS = {kind.name: kind for kind in find()}


def test_every_kind_says_what_it_does_and_what_becomes_of_it() -> None:
    """Each kind has a sentence, a status and words; each name is there once."""
    names = [kind.name for kind in find()]

    assert sorted(set(names)) == sorted(names)
    assert [] == [kind.name for kind in KINDS.values() if not kind.does]
    assert [] == [
        kind.name
        for kind in KINDS.values()
        if not kind.expects.words and len(kind.expects.statuses) == 1
    ]


def test_the_chosen_kinds_are_there() -> None:
    """Those that are tried at a small size have their files."""
    assert set() == set(CORE) - set(KINDS)


def test_a_kind_without_an_expectation_is_refused() -> None:
    """What does not say what it must come to proves nothing."""
    with pytest.raises(ValueError, match="it: the first lines"):
        make("it", "# It does something.\n# else", b"")


def test_another_outcome_than_the_expected_is_told() -> None:
    """A verdict of another status, or without the words, is a misfit."""
    expected = Expectation(("crashed",), "exit status 3")

    assert "" == misfit(expected, "crashed", "It left with exit status 3.")
    assert misfit(expected, "passed", "exit status 3").startswith("passed instead of crashed")
    assert misfit(expected, "crashed", "exit status 0").startswith("'exit status 3' is not in")


def test_a_few_kinds_at_one_tutor() -> None:
    """Each is named, ends, leaves nothing, and costs the next submission nothing."""
    chosen: list[Kind] = [KINDS[name] for name in ("loop_python", "exit_0", "daemon")]
    with made_place() as place:
        figures = list(check_all(place, chosen))

    assert [] == [figure for figure in figures if not figure.holds]
