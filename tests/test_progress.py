"""Tests how far a learner has come, and which hint comes next."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.lessons import Hint, LessonInfo
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.learning.progress import (
    FIRST_SPECIFIC,
    Progress,
    Standing,
    choose_rungs,
    hint_for,
    is_past_last,
    make_ladder,
    numbers_of,
)
from jaxtutor.core.reporting.outputs.output import write_json
from jaxtutor.core.reporting.recorded import failed_names, read_failed
from jaxtutor.core.reporting.reports import check_report

PASSED = Progress(attempts=1, passed_at=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("progress", "status"),
    [
        (Progress(), "new"),
        (Progress(attempts=2), "started"),
        (Progress(hints_shown=1), "started"),
        (PASSED, "passed"),
    ],
)
def test_standing(progress: Progress, status: Standing) -> None:
    """A lesson is started by an attempt or a hint, and passed by the first attempt that passes."""
    assert status == progress.status


# ---------------------------------------------------------------- hints

INFO = LessonInfo(
    title="T",
    function="f",
    difficulty="easy",
    minutes=5,
    hints=("one", "two", "the line"),
    new="n",
    hint=(Hint("gradient", "differentiate"), Hint("dtype", "cast")),
)


def test_hints_for_what_failed_come_first() -> None:
    """The ladder begins with the hints for the failed check; the others of the kind stay away."""
    assert ["cast", "one", "two", "the line"] == [
        rung.text for rung in make_ladder(INFO, {"dtype", "values"})
    ]


def test_without_a_failure_the_general_hints_are_all() -> None:
    """A learner who has not failed yet gets the general ladder."""
    assert ["one", "two", "the line"] == [rung.text for rung in make_ladder(INFO)]


def test_the_next_hint_is_the_first_not_shown() -> None:
    """Another failure brings its own hint, though general ones were shown before."""
    for shown, expected in (((1, 2), "differentiate"), ((1, 2, FIRST_SPECIFIC), "the line")):
        ladder = make_ladder(INFO, {"gradient"}, shown)

        assert [expected] == [rung.text for rung in choose_rungs(ladder, shown)]


def test_a_shown_hint_keeps_its_place() -> None:
    """Hint 1 remains hint 1 of 3 when another failure brings its own hints, or takes them away."""
    one, cast = "Hint 1 of 3", "Hint for what failed"
    rest = ["Hint 2 of 3", "Hint 3 of 3"]

    assert [one, cast, *rest] == [rung.title(INFO) for rung in make_ladder(INFO, {"dtype"}, (1,))]
    assert [cast, one, *rest] == [
        rung.title(INFO) for rung in make_ladder(INFO, (), (FIRST_SPECIFIC + 1,))
    ]


def test_a_hint_that_is_done_already_is_left_out() -> None:
    """A failure that shows the first hints to be done begins after them, never after the last."""
    for past, expected in ((1, ["two", "the line"]), (2, ["the line"]), (9, ["the line"])):
        info = replace(INFO, hint=(Hint("result-dropped", "keep it", past),))

        texts = [rung.text for rung in make_ladder(info, {"result-dropped"})]
        assert ["keep it", *expected] == texts
        assert "one" in [rung.text for rung in make_ladder(info, {"values"})]


def test_a_cause_or_a_mistake_leaves_no_hint_for_its_check() -> None:
    """The failed check, and the reason of its call, count only where neither is known."""
    case = CaseResult("x=1", None, None, False, True, "", reason="a row of one number")
    checks = (CheckResult("values", "", "failed", case=case),)
    verdict = Verdict("failed", "double", "", checks, 0.0, "", "")
    found = Diagnosis(None, "", "result-dropped", "f.py", None, "", "", "")
    report = write_json(check_report(verdict, "f.py"))

    assert {"values", "a row of one number"} == failed_names(verdict) == read_failed(report)
    named = replace(verdict, misconception="You averaged.")
    report = write_json(check_report(named, "f.py"))
    assert frozenset() == failed_names(named) == read_failed(report)

    verdict = replace(named, findings=(found,))
    report = write_json(check_report(verdict, "f.py"))
    assert {"result-dropped"} == failed_names(verdict) == read_failed(report)


def test_a_verdict_shows_the_hint_for_what_failed() -> None:
    """The hint for what is special about a call comes before the hint for its check."""
    info = replace(INFO, hint=(*INFO.hint, Hint("an empty array", "what is the sum of nothing?")))

    assert "cast" == hint_for(info, "", ("", "dtype"))
    assert "cast" == hint_for(info, "a row of one number", ("dtype",))
    assert "what is the sum of nothing? cast" == hint_for(info, "an empty array", ("dtype",))
    assert "" == hint_for(info, "", ("", "values"))


def test_the_kind_of_a_wrong_answer_comes_before_its_check() -> None:
    """A hint for the kind counts first: the lesson's own, or one that holds in every lesson."""
    info = replace(
        INFO, hint=(Hint("values", "by hand"), Hint("shape", "count"), Hint("r", "rest"))
    )
    general = {"scaled": "a factor", "shape": "never shown"}

    assert "rest by hand" == hint_for(info, "r", ("permuted", "values"), general)
    assert "a factor" == hint_for(info, "r", ("scaled", "values"), general)
    assert "a factor by hand" == hint_for(info, "r", ("scaled", "values"), general, {"scaled"})
    assert "rest count" == hint_for(info, "r", ("shape", "values"), general)
    assert "count" == hint_for(info, "", ("joined", "shape", "values"), general)


def test_a_hint_that_a_verdict_showed_counts_as_shown() -> None:
    """The next hint after a verdict with a hint is another one."""
    ladder = make_ladder(INFO, {"gradient"})
    shown = numbers_of(INFO, "differentiate")

    assert ["one"] == [rung.text for rung in choose_rungs(ladder, shown)]
    assert () == numbers_of(INFO, "")


def test_the_last_hint_can_be_shown_again() -> None:
    """`--again` shows the furthest hint that was shown, and `--all` shows all of them."""
    ladder = make_ladder(INFO, {"gradient"}, (1, 2))

    assert ["two"] == [rung.text for rung in choose_rungs(ladder, (1, 2), again=True)]
    assert ladder == choose_rungs(ladder, (), every=True)


def test_a_fix_is_looked_for_after_the_last_hint() -> None:
    """Only the last of the general hints opens the way to a fix, and no hint is added after it."""
    for shown, expected in (((1, 2, FIRST_SPECIFIC), False), ((1, 2, 3), True)):
        ladder = make_ladder(INFO, {"gradient"}, shown)

        assert is_past_last(ladder, shown) == expected
