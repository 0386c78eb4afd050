"""Tests how drills are rated and chosen, and when a cause is mastered or comes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jaxtutor.core.data.drills import Drill
from jaxtutor.core.learning.drills import (
    OPTIONS,
    CauseRecord,
    DrillResult,
    Meeting,
    choose_options,
    gather,
    plan,
    plan_cause,
)
from jaxtutor.core.learning.reviews import Rating, Recall
from jaxtutor.watch.scheduling import forecast_causes

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def result(
    program: str = "p", ago: float = 0, *, right: bool = True, tries: int = 1, cause: str = "c"
) -> DrillResult:
    """Return a drill some days ago, fixed after so many runs; after none, not fixed."""
    when = NOW - timedelta(ago)
    return DrillResult(program, cause, when, right, right, tries, when if tries else None)


def drills(cause: str, level: int, *names: str) -> tuple[Drill, ...]:
    return tuple(
        Drill(name, cause, level, "x\n" * n, "y\n", 1, (1,), "1\n")
        for n, name in enumerate(names, 6)
    )


@pytest.mark.parametrize(
    ("right", "tries", "expected"),
    [
        (True, 1, "easy"),
        (True, 3, "good"),
        (True, 4, "hard"),
        (False, 1, "hard"),
        (True, 0, "hard"),
        (False, 0, "again"),
    ],
)
def test_how_well_a_cause_was_known(right: bool, tries: int, expected: Rating) -> None:
    """A wrong answer, further runs and a missing fix each lower the rating."""
    assert expected == result(right=right, tries=tries).rating


def met(*days_ago: float) -> list[Meeting]:
    return [Meeting("c", NOW - timedelta(ago)) for ago in days_ago]


def test_the_meetings_of_one_day_count_once() -> None:
    """Ten saves of one mistake on one day are one mistake."""
    record = gather(met(1, 1.01, 1.02, 0), [])["c"]
    assert 2 == len(record.met)


@pytest.mark.parametrize(
    ("meetings", "results", "expected"),
    [
        ([], [result(ago=5), result(ago=1)], True),
        ([], [result(ago=1)], False),
        ([], [result(ago=1), result(ago=1.1)], False),
        ([], [result(ago=5), result(ago=1, right=False)], False),
        ([], [result(ago=9, right=False), result(ago=5), result(ago=1)], True),
        (met(7), [result(ago=5), result(ago=1)], True),
        (met(0), [result(ago=5), result(ago=1)], False),
        (met(3), [result(ago=5), result(ago=1)], False),
    ],
)
def test_when_a_cause_is_mastered(
    meetings: list[Meeting], results: list[DrillResult], expected: bool
) -> None:
    """Two right drills in a row on different days, and no mistake since the first of them."""
    assert expected == gather(meetings, results)["c"].is_mastered


@pytest.mark.parametrize(
    ("meetings", "results", "expected"),
    [
        (met(5), [], False),
        (met(5, 1), [], True),
        (met(5, 4), [result(ago=1)], False),
        (met(5, 1), [result(ago=3)], True),
        (met(5, 4), [result(ago=1, right=False)], True),
    ],
)
def test_when_a_cause_comes_back(
    meetings: list[Meeting], results: list[DrillResult], expected: bool
) -> None:
    """The mistake was made on several days, and no right drill followed."""
    assert expected == gather(meetings, results)["c"].is_recurring


def test_a_cause_that_was_met_is_due_until_it_is_drilled() -> None:
    """A mistake is due at once, and after a right drill not for days."""
    (before,) = forecast_causes([CauseRecord("c", (NOW,))], NOW)
    after = forecast_causes(gather(met(0), [result(ago=0)]).values(), NOW)[0]
    assert (True, 0) == (before.due <= NOW, before.reviews)
    assert after.due > NOW


POOL = {
    "one": drills("one", 3, "a", "b"),
    "two": drills("two", 1, "d", "e"),
    "three": drills("three", 2, "f"),
}


def test_what_is_due_is_chosen_first_and_the_easier_comes_first() -> None:
    """Causes that are due come before new ones, whatever their level; then the level decides."""
    due = [Recall("one", NOW - timedelta(1), 0.3, 1), Recall("three", NOW, 0.9, 1)]
    later = Recall("three", NOW + timedelta(9), 0.99, 1)
    assert ["a", "d"] == [it.name for it in plan(POOL, [], [due[0], later], NOW, most=2)]
    assert ["f", "a", "d"] == [it.name for it in plan(POOL, [], due, NOW)]
    assert ["a"] == [it.name for it in plan(POOL, [], due, NOW, most=1)]


def test_the_same_program_does_not_come_twice_in_a_row() -> None:
    """The program of the last drill is not the first, and of a cause the oldest comes first."""
    assert "b" == plan(POOL, [result("a", cause="one")], [], NOW)[2].name
    only = {"three": POOL["three"], "two": drills("two", 3, "z")}
    assert "z" == plan(only, [result("f", cause="three")], [], NOW)[0].name
    assert ["b", "a"] == [it.name for it in plan_cause(POOL["one"], [result("a")])]


def test_options_have_the_right_cause_and_the_nearest_wrong_ones() -> None:
    """Four causes, one of them right, in an order that stays the same for a drill."""
    near = (["x", "y"], ["y", "one", "z"], ["far"])
    for drill in POOL["one"]:
        options = choose_options(drill, near)
        assert OPTIONS == len(set(options))
        assert {"one", "x", "y", "z"} == set(options)
        assert options == choose_options(drill, near)


def test_few_causes_give_few_options() -> None:
    """Where fewer causes are near, fewer are offered."""
    assert ("one",) == choose_options(POOL["one"][0], ())
