"""Tests which checks are recorded as attempts, and what `history` and `stats` then report."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from jaxtutor.app import App
from jaxtutor.checks.attempts import attempt, judge, keep, recognise_later
from jaxtutor.commands import files, stats
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.learning.todos import say_todo
from jaxtutor.options import Options
from jaxtutor.storage.workspace import Submission
from trials.sample_lessons import SOLUTION, STARTER, make_lesson

WRONG = "def double(x):\n    return 3 * x\n"


class Examiner:
    """Stands in for the checker: only the solution passes."""

    runner = SimpleNamespace(close=lambda: None)

    def check(self, lesson: Any, source: str, *_: Any) -> Verdict:
        status = "passed" if source == SOLUTION else "failed"
        checks = (CheckResult("values", "The answers are right.", status),)  # type: ignore[arg-type]
        return Verdict(status, "double", "", checks, 0.0, "", "")  # type: ignore[arg-type]


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Return an app with a course of one lesson and a checker that runs nothing."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "course.toml").write_text('title = "Small"\n')
    make_lesson(tmp_path / "course" / "01_basics" / "01_double")
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("jaxtutor.checks.known_mistakes.name_misconception", lambda *_: "")
    made = App(Options(course=tmp_path / "course"), stdout=io.StringIO())
    made.__dict__["checker"] = Examiner()
    yield made
    made.close()


def check(app: App, text: str, saved: bool = True) -> None:
    """Check a text of the first lesson."""
    lesson = app.course.first()
    attempt(app, lesson, Submission(app.file(lesson), text.encode(), text), None, saved)


def printed(app: App) -> list[str]:
    """Return the lines that a command wrote."""
    assert isinstance(app.stdout, io.StringIO)
    return app.stdout.getvalue().splitlines()


def statuses(app: App) -> list[str]:
    """Return the statuses of the attempts that were recorded."""
    return [each.status for each in app.store.attempts("double")]


def test_opening_and_resetting_are_no_attempts(app: App) -> None:
    """A first save that passes is attempt 1, whatever was opened or reset before it."""
    check(app, STARTER, saved=False)
    check(app, STARTER)
    check(app, SOLUTION)

    assert ["passed"] == statuses(app)
    assert 1 == app.store.first_passes()["double"][0]


def test_a_failure_brings_the_hint_that_is_for_it(app: App) -> None:
    """A wrong answer of unknown cause comes with its hint; the starter with its own TODO."""
    assert app.options.course is not None
    toml = app.options.course / "01_basics" / "01_double" / "lesson.toml"
    toml.write_text(toml.read_text() + '\n[[hint]]\nwhen = "values"\ntext = "Twice, not thrice."\n')
    lesson = app.course.first()

    def hint_of(text: str) -> str:
        verdict = judge(app, lesson, Submission(app.file(lesson), text.encode(), text))
        assert verdict is not None
        return verdict.hint

    given = (
        "This is the file as you got it. The first line to change is line 7, `return x`."
        " Its TODO says: “double it.”"
    )
    assert ["Twice, not thrice.", given, ""] == [hint_of(it) for it in (WRONG, STARTER, SOLUTION)]


def test_a_todo_is_quoted_with_the_first_line_of_code_below_it() -> None:
    """A TODO may have several lines, and code need not follow; without one there is no sentence."""
    source = "def f(x):\n    # TODO: this loses\n    # the sign.\n\n    y = abs(x)\n    return y\n"

    assert say_todo(source).endswith("line 5, `y = abs(x)`. Its TODO says: “this loses the sign.”")
    assert "that of the TODO" in say_todo("# TODO: write f.\n")
    assert "" == say_todo("def f(x):\n    return x\n")


def test_the_hint_for_a_cause_stands_beside_its_advice(app: App) -> None:
    """Where a cause is known, the verdict has the lesson's hint for it, and no hint for a check."""
    assert app.options.course is not None
    toml = app.options.course / "01_basics" / "01_double" / "lesson.toml"
    hints = ("float-on-tracer", "Keep it an array."), ("jit", "Another hint.")
    tables = (f'\n[[hint]]\nwhen = "{when}"\ntext = "{text}"\n' for when, text in hints)
    toml.write_text(toml.read_text() + "".join(tables))
    found = Diagnosis("TypeError", "", "float-on-tracer", "f.py", None, "float(x)", "", "")
    checks = (CheckResult("jit", "It runs under jax.jit.", "failed"),)
    raised = Verdict("raised", "double", "", checks, 0.0, "", "", diagnosis=found)
    app.__dict__["checker"] = SimpleNamespace(check=lambda *_: raised)
    app.__dict__["checker"].runner = Examiner.runner
    verdict = judge(app, app.course.first(), Submission(toml, WRONG.encode(), WRONG))

    assert verdict is not None
    assert verdict.hint == "Keep it an array."


def test_a_mistake_that_becomes_known_later_takes_the_place_of_the_hint(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong answer is looked at again; a pass, a starter and a named mistake are not."""
    slip = "Your answers are those of a right program in which `*` stands in the place of `+`."
    lesson = app.course.first()

    def later(text: str, verdict: Verdict) -> Verdict | None:
        saved = Submission(app.file(lesson), text.encode(), text)
        return recognise_later(app, lesson, saved, verdict)

    failed = Examiner().check(lesson, WRONG)
    assert later(WRONG, failed) is None

    monkeypatch.setattr("jaxtutor.checks.known_mistakes.name_misconception", lambda *_: slip)
    named = later(WRONG, replace(failed, hint="By hand."))
    assert named is not None
    assert (f"{slip} Look at line 2.", "") == (named.misconception, named.hint)
    assert later(WRONG, named) is None
    assert later(STARTER, failed) is None
    assert later(SOLUTION, Examiner().check(lesson, SOLUTION)) is None


def test_opening_makes_the_lesson_the_current_one(app: App) -> None:
    """A check that is not recorded still says where the learner is."""
    check(app, STARTER, saved=False)

    assert "double" == app.store.current()


def test_opening_a_text_again_is_no_attempt(app: App) -> None:
    """The text of an earlier attempt counts once, however often it is opened or restored."""
    check(app, WRONG)
    check(app, SOLUTION)
    check(app, WRONG, saved=False)
    check(app, WRONG)

    assert ["failed", "passed", "failed"] == statuses(app)


def test_a_text_that_was_saved_elsewhere_is_an_attempt(app: App) -> None:
    """A text that was written while no session ran is recorded when it is opened."""
    check(app, WRONG)
    check(app, SOLUTION, saved=False)

    assert ["failed", "passed"] == statuses(app)


def test_an_opened_text_counts_for_a_review(app: App) -> None:
    """A review counts a text that was there before it, because its hidden cases differ."""
    check(app, SOLUTION)
    app.store.start_review("double", None)
    check(app, SOLUTION, saved=False)

    assert ["passed", "passed"] == statuses(app)
    assert [True] == [review.passed for review in app.store.reviews()]


def test_a_starter_is_not_kept(app: App) -> None:
    """A cancelled check of the starter leaves nothing in the history."""
    lesson = app.course.first()
    keep(app, lesson, Submission(app.file(lesson), STARTER.encode(), STARTER), "unchecked")

    assert () == app.store.kept("double")


def test_the_first_bar_of_the_statistics_can_be_filled(app: App) -> None:
    """A lesson that passed with its first save is counted under one attempt."""
    check(app, STARTER, saved=False)
    check(app, SOLUTION)
    stats.stats(app)

    (bar,) = [line for line in printed(app) if line.startswith("  1 ")]
    assert bar.endswith(" 1")


def test_a_history_without_attempts_says_so(app: App) -> None:
    """A saved copy alone does not make an attempt."""
    app.store.keep_source("double", WRONG.encode(), "before reset")
    files.history(app, None, every=False)

    assert "No attempts yet." == printed(app)[0]
