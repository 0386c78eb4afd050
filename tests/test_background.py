"""Owns the tests of the check behind a session: the newest submission counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jaxtutor.core.model import Verdict
from jaxtutor.course import Lesson
from jaxtutor.errors import TutorError
from jaxtutor.runner import Cancel
from jaxtutor.ui import background
from jaxtutor.ui.background import Background, Checked
from jaxtutor.workspace import Submission

LESSON = Lesson(Path("01_double"), "1.1", "double")
VERDICT = Verdict("passed", "double", "passed", (), 0.1, "cpu:0", "0.12")
PATIENCE = 20.0

Attempt = Callable[[str, Cancel], Verdict | None]


def submission(text: str) -> Submission:
    """Make what was saved."""
    return Submission(Path("mine.py"), text.encode(), text)


class Session:
    """A session's background, with a check of the test's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: SimpleQueue[Checked] = SimpleQueue()
        self.kept: list[str] = []
        self.check: Attempt = lambda text, cancel: VERDICT
        app = SimpleNamespace(checker=SimpleNamespace(prepare=lambda lesson: None))

        def attempt(_: Any, lesson: Lesson, saved: Submission, cancel: Cancel) -> Verdict | None:
            return self.check(saved.text, cancel)

        def keep(_: Any, lesson: Lesson, saved: Submission, reason: str) -> None:
            self.kept.append(saved.text)

        monkeypatch.setattr(background, "attempt", attempt)
        monkeypatch.setattr(background, "keep", keep)
        self.background = Background(cast(Any, app), self.told.put)

    def save(self, text: str) -> None:
        self.background.submit(LESSON, submission(text))

    def next(self) -> Checked:
        return self.told.get(timeout=PATIENCE)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A session that is closed afterwards."""
    made = Session(monkeypatch)
    yield made
    made.background.close()


def test_a_save_is_checked(session: Session) -> None:
    """Its verdict is told with the text that it is about."""
    session.save("a")

    assert Checked(LESSON, submission("a"), VERDICT) == session.next()


def test_the_newest_save_counts(session: Session) -> None:
    """A save during a check cancels it; nothing is told of what was overtaken."""
    begun = threading.Event()

    def check(text: str, cancel: Cancel) -> Verdict | None:
        if text != "first":
            return VERDICT
        begun.set()
        while not cancel.asked:
            pass
        return None

    session.check = check
    session.save("first")
    assert begun.wait(PATIENCE)
    session.save("second")

    assert "second" == session.next().submission.text
    assert session.told.empty()


def test_a_save_that_was_never_checked_is_kept(session: Session) -> None:
    """Overtaken while it waited, its text goes to the store all the same."""
    begun, go_on = threading.Event(), threading.Event()

    def check(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        assert go_on.wait(PATIENCE)
        return VERDICT

    session.check = check
    session.save("first")
    assert begun.wait(PATIENCE)
    session.save("second")
    session.save("third")
    go_on.set()

    assert "third" == session.next().submission.text
    assert ["second"] == session.kept


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TutorError("No device."), "No device."),
        (ZeroDivisionError("oh"), "This is a fault of jaxtutor's own: ZeroDivisionError: oh"),
    ],
)
def test_what_goes_wrong_is_told_and_the_next_save_is_checked(
    session: Session, error: Exception, message: str
) -> None:
    """An expected failure, or a fault of ours: neither ends the checking."""

    def check(text: str, cancel: Cancel) -> Verdict | None:
        if text == "bad":
            raise error
        return VERDICT

    session.check = check
    session.save("bad")
    told = session.next()
    assert told.error is not None
    assert message == told.error.message

    session.save("good")
    assert VERDICT == session.next().verdict


def test_closing_cancels(session: Session) -> None:
    """A session that ends does not wait for its check."""
    begun = threading.Event()

    def check(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        while not cancel.asked:
            pass
        return None

    session.check = check
    session.save("endless")
    assert begun.wait(PATIENCE)
    session.background.close()

    assert session.told.empty()
