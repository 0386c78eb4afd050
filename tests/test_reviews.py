"""Tests reviews: when they are due, their hidden cases, and that a pass is never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jaxtutor.app import App
from jaxtutor.checks.attempts import attempt
from jaxtutor.cli import run
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.learning.reviews import Rating, rate
from jaxtutor.options import Options
from jaxtutor.storage import workspace
from jaxtutor.storage.store import Store
from jaxtutor.watch.scheduling import forecast
from json_page import broken_promises
from trials.sample_lessons import SOLUTION, STARTER, make_lesson

NOW = datetime(2026, 5, 4, tzinfo=UTC)


# ---------------------------------------------------------------- scheduling


@pytest.mark.parametrize(
    ("attempts", "hints", "expected"),
    [
        (1, 0, "easy"),
        (1, 1, "good"),
        (4, 0, "good"),
        (4, 3, "hard"),
        (9, 0, "hard"),
        (11, 0, "again"),
    ],
)
def test_how_well_it_was_known(attempts: int, hints: int, expected: str) -> None:
    """More attempts and more hints lower the rating."""
    assert expected == rate(attempts, hints)


def days(*ratings: Rating) -> int:
    """Return the days until a lesson is due after monthly reviews with these ratings."""
    seen = [(NOW + timedelta(30 * n), rating) for n, rating in enumerate(ratings)]
    now = seen[-1][0]
    return (forecast("a", seen, now).due - now).days


def test_what_was_known_well_comes_back_later() -> None:
    """A lesson known well is due later, and one forgotten is due soon."""
    assert days("again") <= days("hard") <= days("good") < days("easy")
    assert days("good") < days("good", "good") < days("good", "good", "good")
    assert days("good", "good", "again") < days("good", "good")


def test_the_chance_falls_with_time() -> None:
    """The probability of recall is 1 at first and 0.9 when the lesson is due."""
    seen: list[tuple[datetime, Rating]] = [(NOW, "easy")]
    due = forecast("a", seen, NOW).due

    assert 1.0 == forecast("a", seen, NOW).chance
    assert 0.9 == pytest.approx(forecast("a", seen, due).chance, abs=0.02)
    assert forecast("a", seen, due + timedelta(99)).chance < 0.8


def test_a_forecast_does_not_change() -> None:
    """The due date depends only on the history, not on when it is computed."""
    assert 1 == len({days("good", "hard") for _ in range(5)})


# ---------------------------------------------------------------- the store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a store."""
    with Store(tmp_path / "s.sqlite3", "jax", lambda: NOW, print) as opened:
        yield opened


def record(store: Store, status: str, lesson: str = "a") -> None:
    store.record_attempt(
        lesson,
        source="x",
        status=status,
        verdict="{}",
        device="",
        jax="",
        python="",
        seconds=0.0,
        starter="",
    )


def test_each_review_has_a_seed_of_its_own(store: Store) -> None:
    """Each review has its own seed, which differs from the lesson's seed, 0."""
    seeds = []
    for _ in range(3):
        seeds.append(store.start_review("a", None).seed)
        record(store, "passed")
    assert [1, 2, 3] == seeds


def test_one_review_of_a_lesson_is_open(store: Store) -> None:
    """Starting an open review again does not start a second one."""
    assert store.start_review("a", 7) == store.start_review("a", 8)


def test_a_pass_ends_a_review(store: Store) -> None:
    """A pass ends a review and records its attempts."""
    store.start_review("a", None)
    record(store, "failed")
    record(store, "passed")
    record(store, "failed")
    (review,) = store.reviews()

    assert (True, 2, NOW, "easy") == (review.passed, review.attempts, review.ended, review.rating)
    assert store.open_review("a") is None


def test_one_given_up_counts_as_forgotten(store: Store) -> None:
    """A cancelled review counts as forgotten."""
    store.start_review("a", None)
    store.cancel_review("a")
    (review,) = store.reviews()
    assert (False, "again") == (review.passed, review.rating)


def test_a_review_that_fails_takes_no_pass_away(store: Store) -> None:
    """A failed review does not remove a lesson's pass."""
    record(store, "passed")
    store.start_review("a", None)
    record(store, "failed")
    store.cancel_review("a")
    assert "passed" == store.progress()["a"].status


# ---------------------------------------------------------------- the command


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course of one lesson."""
    make_lesson(tmp_path / "course" / "01_basics" / "01_double", {"mistakes/triple.py": "x"})
    return tmp_path / "course"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, course: Path) -> Path:
    """Return a home in which the lesson was passed a hundred days ago."""
    folder = tmp_path / "home"
    monkeypatch.setenv("JAXTUTOR_HOME", str(folder))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    earlier = datetime.now(UTC) - timedelta(100)
    with Store(folder / "data" / "progress.sqlite3", "course", lambda: earlier, print) as store:
        record(store, "passed", "double")
    return folder


@pytest.fixture
def mine(home: Path) -> Path:
    """Return the learner's file as it passed."""
    path = home / "workspace" / "01_basics" / "01_double.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOLUTION)
    return path


def ask(
    capsys: pytest.CaptureFixture[str], course: Path, *arguments: str
) -> tuple[int, dict[str, Any]]:
    status = run(["review", *arguments, "--course", str(course), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_what_is_due(home: Path, course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A lesson passed long ago is due, and its probability of recall is shown."""
    status, report = ask(capsys, course)

    assert (0, []) == (status, broken_promises(report, "review"))
    (lesson,) = report["lessons"]
    assert ("double", True, 0, False) == (
        lesson["slug"],
        lesson["is_due"],
        lesson["reviews"],
        lesson["under_review"],
    )


def test_nothing_is_due_at_first(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With nothing due, the command reports that."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "new"))
    assert 0 == run(["review", "--course", str(course)])
    assert "Nothing to review yet" in capsys.readouterr().out


def test_a_review_begins_from_the_starter(
    mine: Path, course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A review starts from the starter, and the learner's text can be restored by its number."""
    status, report = ask(capsys, course, "double")

    assert (0, STARTER) == (status, mine.read_text())
    assert "jaxtutor restore k1 double" in report["message"]


def test_one_given_up_brings_the_text_back(
    mine: Path, course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cancelling a review restores the earlier text and keeps the newer one."""
    ask(capsys, course, "double")
    mine.write_text("half = 1\n")
    status, _ = ask(capsys, course, "double", "--give-up")

    assert (0, SOLUTION) == (status, mine.read_text())
    run(["history", "double", "--course", str(course), "--json"])
    kept = json.loads(capsys.readouterr().out)["kept"]
    assert ["before a review", "before a review was cancelled"] == [it["reason"] for it in kept]


@pytest.mark.parametrize(
    "arguments", [["nonesuch"], ["double", "--give-up"], ["--give-up"], ["1.9"]]
)
def test_what_cannot_be_reviewed(
    home: Path, course: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Reviewing an unknown lesson is a usage error and changes nothing."""
    status, report = ask(capsys, course, *arguments)
    assert (2, 2) == (status, report["error"]["exit_status"])


def test_what_was_not_passed_cannot_be_reviewed(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A lesson that was never passed cannot be reviewed."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "new"))
    status, report = ask(capsys, course, "double")
    assert (2, True) == (status, "has not been passed yet" in report["error"]["message"])


class Examiner:
    """Stands in for the checker, and records the seeds."""

    def __init__(self, status: str) -> None:
        self.status = status
        self.seeds: list[int] = []
        self.runner = SimpleNamespace(close=lambda: None)

    def check(
        self,
        lesson: Any,
        source: str,
        file: Path,
        cancel: Any = None,
        seed: int = 0,
        listen: Any = None,
    ) -> Any:
        self.seeds.append(seed)
        return Verdict(self.status, "double", "", (), 0.0, "", "")  # type: ignore[arg-type]


def test_checks_use_the_seed_of_the_review(mine: Path, course: Path) -> None:
    """From the start of a review to its pass, checks use its seed, and otherwise the lesson's."""
    app = App(Options(course=course))
    examiner = Examiner("passed")
    app.__dict__["checker"] = examiner
    lesson = app.course.lessons[0]
    submission = workspace.read(mine)
    attempt(app, lesson, submission)
    app.store.start_review("double", None)
    examiner.status = "timed_out"
    attempt(app, lesson, submission)
    examiner.status = "passed"
    attempt(app, lesson, submission)
    attempt(app, lesson, submission)
    (review,) = app.store.reviews()
    app.close()

    assert [0, 1, 1, 0] == examiner.seeds
    assert (True, 2) == (review.passed, review.attempts)
