"""Tests the background checks of a session, in which the newest submission counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from builders import tree
from jaxtutor.checks.attempts import REPLACED, UNCHECKED
from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.diagnoses import Fix
from jaxtutor.core.data.facts import CaseFacts, Event
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.errors import TutorError
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.storage.workspace import Submission
from jaxtutor.watch import background
from jaxtutor.watch.background import Background, CheckAdvanced, CheckFinished, FixTried

LESSON = Lesson(Path("01_double"), "1.1", "double")
VERDICT = Verdict("passed", "double", "passed", (), 0.1, "cpu:0", "0.12")
PATIENCE = 20.0
FIX = Fix("--- mine.py\n", True, "fixed")

Found = tuple[Fix, Verdict]

Attempt = Callable[[str, Cancel], Verdict | None]


def submission(text: str) -> Submission:
    """Return a saved submission."""
    return Submission(Path("mine.py"), text.encode(), text)


class Session:
    """A session's background thread, with a check defined by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reported: SimpleQueue[CheckFinished] = SimpleQueue()
        self.advanced: SimpleQueue[CheckAdvanced] = SimpleQueue()
        self.events: tuple[Event, ...] = ()
        self.kept: list[tuple[str, str]] = []
        self.check: Attempt = lambda text, cancel: VERDICT
        self.fix: Attempt = lambda text, cancel: None
        self.tried: SimpleQueue[FixTried] = SimpleQueue()
        self.checker = Checker(cast(Any, None), {}, Path())
        monkeypatch.setattr(Checker, "prepare", lambda *_: None)
        app = SimpleNamespace(checker=self.checker)

        def attempt(
            _: Any,
            lesson: Lesson,
            submission: Submission,
            cancel: Cancel,
            saved: bool,
            listen: Listen,
        ) -> Verdict | None:
            for event in self.events:
                listen(event)
            return self.check(submission.text, cancel)

        def keep(_: Any, lesson: Lesson, saved: Submission, reason: str) -> None:
            self.kept.append((saved.text, reason))

        def fix(checker: Checker, lesson: Lesson, text: str, *others: Any) -> Found | None:
            assert checker.behind
            after = self.fix(text, others[-1])
            return (FIX, after) if after else None

        monkeypatch.setattr(background, "fix_submission", fix)
        self.later: list[Verdict | None] = []
        monkeypatch.setattr(background, "may_recognise", lambda *_: bool(self.later))
        monkeypatch.setattr(
            background, "recognise_later", lambda *_: self.later.pop(0) if self.later else None
        )
        monkeypatch.setattr(background, "attempt", attempt)
        monkeypatch.setattr(background, "keep", keep)
        self.background = Background(cast(Any, app), self.reported.put, self.advanced.put)

    def save(self, text: str, saved: bool = True) -> None:
        self.background.submit(LESSON, submission(text), saved)

    def try_fix(self, text: str) -> CheckFinished:
        checked = CheckFinished(LESSON, submission(text), VERDICT)
        self.background.try_fix(checked, self.tried.put)
        return checked

    def next(self) -> CheckFinished:
        return self.reported.get(timeout=PATIENCE)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Return a session that is closed afterwards."""
    made = Session(monkeypatch)
    yield made
    made.background.close()


def test_a_save_is_checked(session: Session) -> None:
    """The verdict of a save is reported with its text."""
    session.save("a")

    assert CheckFinished(LESSON, submission("a"), VERDICT) == session.next()


def test_a_verdict_is_reported_again_when_its_mistake_is_known(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The known mistakes of a lesson may have been run only after its first wrong answer."""
    monkeypatch.setattr(background, "RECOGNISE_SECONDS", 0.01)
    named = replace(VERDICT, misconception="You averaged.")
    session.later = [None, None, named]
    session.save("a")

    assert [VERDICT, named] == [session.next().verdict, session.next().verdict]


def test_a_newer_save_does_not_wait_for_the_mistake_of_an_older(session: Session) -> None:
    """A wait for known mistakes ends with the next save."""
    session.later = [None] * 10_000
    session.save("a")
    first = session.next()
    session.save("b")

    assert ("a", "b") == (first.submission.text, session.next().submission.text)


def test_what_is_known_early_is_reported(
    session: Session,
) -> None:
    """What becomes known during a check is reported once, before the verdict."""
    lesson = load_course(None).first()
    right, wrong = (CaseFacts("", True, tree([x]), stated=tree([1.0])) for x in (1.0, 2.0))
    session.events = (right, right, wrong, right)
    session.background.submit(lesson, submission("a"))

    assert session.next().verdict == VERDICT
    advanced = [session.advanced.get_nowait(), session.advanced.get_nowait()]

    assert [CheckAdvanced(submission("a"), it) for it in ("it runs", "wrong answer")] == advanced
    assert session.advanced.empty()


def test_the_newest_save_counts(session: Session) -> None:
    """A save during a check cancels the check, which is not reported."""
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
    assert session.reported.empty()


def test_a_save_that_was_never_checked_is_kept(session: Session) -> None:
    """A save that is overtaken while it waits is still recorded in the store."""
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
    assert [("second", REPLACED)] == session.kept


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TutorError("No device."), "No device."),
        (ZeroDivisionError("oh"), "Internal error in jaxtutor: ZeroDivisionError: oh"),
    ],
)
def test_what_goes_wrong_is_reported_and_the_next_save_is_checked(
    session: Session, error: Exception, message: str
) -> None:
    """After an expected error or a bug, the next save is checked."""

    def check(text: str, cancel: Cancel) -> Verdict | None:
        if text == "bad":
            raise error
        return VERDICT

    session.check = check
    session.save("bad")
    reported = session.next()
    assert reported.error is not None
    assert message == reported.error.message

    session.save("good")
    assert VERDICT == session.next().verdict


def test_closing_cancels(session: Session) -> None:
    """Closing a session cancels its check."""
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

    assert session.reported.empty()


# ---------------------------------------------------------------- trying fixes


def test_a_fix_is_tried_behind(session: Session) -> None:
    """A fix that helps is reported with its check and with the verdict after the edit."""
    session.fix = lambda text, cancel: VERDICT
    checked = session.try_fix("bad")

    assert FixTried(checked, (FIX, VERDICT)) == session.tried.get(timeout=PATIENCE)


def test_a_save_ends_the_trying(session: Session) -> None:
    """A save cancels the trial of a fix and is checked at once."""
    begun = threading.Event()

    def fix(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        while not cancel.asked:
            pass
        return None

    session.fix = fix
    session.try_fix("bad")
    assert begun.wait(PATIENCE)
    session.save("newer")

    assert "newer" == session.next().submission.text
    assert session.tried.empty()
    assert [] == session.kept


def test_a_check_does_not_wait_for_the_end_of_a_trial(session: Session) -> None:
    """A trial that ends slowly does not delay a check."""
    begun, go_on = threading.Event(), threading.Event()

    def fix(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        assert go_on.wait(PATIENCE)
        return VERDICT

    session.fix = fix
    session.try_fix("bad")
    assert begun.wait(PATIENCE)
    session.save("newer")
    checked = session.next()
    go_on.set()
    session.background.close()

    assert "newer" == checked.submission.text
    assert session.tried.empty()


def test_no_fix_is_tried_during_a_check(session: Session) -> None:
    """No fix is tried during a check, because its verdict will start another trial."""
    begun, go_on = threading.Event(), threading.Event()

    def check(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        assert go_on.wait(PATIENCE)
        return VERDICT

    session.check = check
    session.save("newer")
    assert begun.wait(PATIENCE)
    session.try_fix("bad")
    go_on.set()

    assert "newer" == session.next().submission.text
    session.background.close()
    assert session.tried.empty()


def test_a_fault_in_trying_is_reported(session: Session) -> None:
    """An error during a trial is reported, and the next save is checked."""

    def fix(text: str, cancel: Cancel) -> Verdict | None:
        raise ZeroDivisionError("oh")

    session.fix = fix
    session.try_fix("bad")
    tried = session.tried.get(timeout=PATIENCE)
    session.save("good")

    assert tried.error is not None
    assert "ZeroDivisionError: oh" in tried.error.message
    assert VERDICT == session.next().verdict


def wait_for_cancel(begun: threading.Event) -> Attempt:
    """Return a check that ends when it is cancelled."""

    def check(text: str, cancel: Cancel) -> Verdict | None:
        begun.set()
        while not cancel.asked:
            pass
        return None

    return check


def test_a_text_that_was_only_opened_is_not_kept(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quitting during the check of a text that nobody saved stores nothing."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("opened")
    begun = threading.Event()
    session.check = wait_for_cancel(begun)
    session.save("opened", saved=False)
    assert begun.wait(PATIENCE)
    session.background.close()

    assert [] == session.kept


def test_an_opened_text_that_a_save_replaced_is_kept(session: Session) -> None:
    """The text that was in the file is stored if a save overtakes its check."""
    begun = threading.Event()
    check, session.check = session.check, wait_for_cancel(begun)
    session.save("opened", saved=False)
    assert begun.wait(PATIENCE)
    session.check = check
    session.save("first save")
    session.next()

    assert [("opened", REPLACED)] == session.kept


def test_a_save_whose_check_was_cancelled_is_kept_as_unchecked(session: Session) -> None:
    """A save that the learner quits before its verdict is stored, and nothing replaced it."""
    begun = threading.Event()
    session.check = wait_for_cancel(begun)
    session.save("saved")
    assert begun.wait(PATIENCE)
    session.background.close()

    assert [("saved", UNCHECKED)] == session.kept
