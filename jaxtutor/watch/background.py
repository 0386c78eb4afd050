"""Checks the newest submission in the background, and tries fixes for it.

A newer save cancels both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxtutor.checks.attempts import (
    REPLACED,
    UNCHECKED,
    attempt,
    keep,
    may_recognise,
    recognise_later,
)
from jaxtutor.checks.submission_trials import fix_submission
from jaxtutor.core.judging.early import add_known
from jaxtutor.errors import TutorError, fault
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.storage import workspace
from jaxtutor.storage.workspace import Submission

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.core.data.diagnoses import Fix
    from jaxtutor.core.data.facts import Event
    from jaxtutor.core.data.verdicts import Verdict


RECOGNISE_SECONDS = 0.2
"""Seconds between two looks at the known mistakes of a lesson, while they are run."""


@dataclass(frozen=True)
class CheckFinished:
    """A check ended, with a verdict or with the error that prevented one."""

    lesson: Lesson
    submission: Submission
    verdict: Verdict | None
    error: TutorError | None = None


@dataclass(frozen=True)
class CheckAdvanced:
    """Something is known about a submission before its check ends, one of `early.KNOWN`."""

    submission: Submission
    known: str


@dataclass(frozen=True)
class FixTried:
    """The search for a fix ended: with a fix and its verdict, without one, or with an error."""

    checked: CheckFinished
    found: tuple[Fix, Verdict] | None
    error: TutorError | None = None


@dataclass
class _Job:
    lesson: Lesson
    submission: Submission
    cancel: Cancel
    saved: bool  # False for the text that is in the file when it is opened
    replaced: bool = False  # a newer save came before the check ended

    @property
    def why_kept(self) -> str:
        """Why the text must be in the store without a verdict; empty if nothing would be lost."""
        if self.replaced or not (self.saved or self._is_in_file):
            return REPLACED
        return UNCHECKED if self.saved else ""

    @property
    def _is_in_file(self) -> bool:
        try:
            return workspace.present(self.submission.path) == self.submission.data
        except TutorError:
            return False


class Background:
    """A thread that checks submissions.

    `report` is called from that thread with the result of every check that was not cancelled, and
    `advance` with what becomes known before.
    """

    def __init__(
        self,
        app: App,
        report: Callable[[CheckFinished], None],
        advance: Callable[[CheckAdvanced], None] | None = None,
    ) -> None:
        self._app = app
        self._report = report
        self._advance = advance
        self._changed = threading.Condition()
        self._waiting: _Job | None = None
        self._running: _Job | None = None
        self._superseded: list[_Job] = []
        self._closed = False
        self._trial: tuple[Cancel, threading.Thread] | None = None
        self._thread = threading.Thread(target=self._work, name="checks")
        self._thread.start()

    def submit(self, lesson: Lesson, submission: Submission, saved: bool = True) -> None:
        """Check this submission next; cancel what is running or waiting.

        `saved` is False if the text was in the file when it was opened.
        """
        with self._changed:
            for job in (self._waiting, self._running):
                if job is not None and job.submission.path == submission.path:
                    job.replaced = True
            self._cancel()
            self._waiting = _Job(lesson, submission, Cancel(), saved)
            self._changed.notify()

    def try_fix(self, checked: CheckFinished, then: Callable[[FixTried], None]) -> None:
        """Try fixes for a failed check, unless a newer submission is being checked.

        The search has its own thread, so that a new check never waits for it to end.
        """
        with self._changed:
            if self._running is None and self._waiting is None and not self._closed:
                self._cancel()
                cancel = Cancel()
                thread = threading.Thread(target=self._try, args=(checked, then, cancel))
                self._trial = cancel, thread
                thread.start()

    def cancel(self) -> None:
        """Cancel what is running or waiting; its result is not reported."""
        with self._changed:
            self._cancel()

    def close(self) -> None:
        """Cancel everything and wait for the threads to end."""
        with self._changed:
            self._cancel()
            self._closed = True
            self._changed.notify()
        self._thread.join()
        if self._trial is not None:
            self._trial[1].join()

    def _cancel(self) -> None:
        for job in (self._waiting, self._running):
            if job is not None:
                job.cancel()
        if self._trial is not None:
            self._trial[0]()
        if self._waiting is not None:
            self._superseded.append(self._waiting)
        self._waiting = None

    def _work(self) -> None:
        while job := self._next():
            self._keep_superseded()
            checked = self._check(job)
            with self._changed:
                self._running = None
                is_current = checked is not None and self._waiting is None and not self._closed
            job.cancel.close()
            if is_current and checked is not None:
                self._report(checked)
            with suppress(TutorError):  # the next check meets the same error and reports it
                self._app.checker.prepare(job.lesson)
            if is_current and checked is not None and self._advance is not None:
                self._recognise(checked)
        self._keep_superseded()

    def _keep_superseded(self) -> None:
        """Save the texts whose checks were cancelled before they started: no saved text is lost."""
        with self._changed:
            jobs, self._superseded = self._superseded, []
        for job in jobs:
            job.cancel.close()
            self._keep(job)

    def _keep(self, job: _Job) -> None:
        if why := job.why_kept:
            keep(self._app, job.lesson, job.submission, why)

    def _next(self) -> _Job | None:
        with self._changed:
            while self._waiting is None and not self._closed:
                self._changed.wait()
            self._running, self._waiting = self._waiting, None
            return None if self._closed else self._running

    def _check(self, job: _Job) -> CheckFinished | None:
        try:
            listen = self._listener(job, self._advance) if self._advance else None
            verdict = attempt(self._app, job.lesson, job.submission, job.cancel, job.saved, listen)
            if verdict is None:
                self._keep(job)
        except TutorError as error:
            return CheckFinished(job.lesson, job.submission, None, error)
        except Exception as error:  # noqa: BLE001 - it would end the thread, and with it every check
            return CheckFinished(job.lesson, job.submission, None, fault(error))
        return CheckFinished(job.lesson, job.submission, verdict) if verdict else None

    def _recognise(self, checked: CheckFinished) -> None:
        """Report a wrong answer again as soon as the mistake behind it is known.

        The known mistakes of a lesson are run behind its first wrong answer. A newer save ends the
        wait.
        """
        verdict = checked.verdict
        is_pending = verdict is not None
        while verdict is not None and is_pending:
            with suppress(TutorError):
                is_pending = may_recognise(self._app, checked.lesson)
                later = recognise_later(self._app, checked.lesson, checked.submission, verdict)
                if later is not None:
                    self._report(replace(checked, verdict=later))
                    return
            with self._changed:
                if self._changed.wait_for(self._has_news, RECOGNISE_SECONDS):
                    return

    def _has_news(self) -> bool:
        return self._closed or self._waiting is not None

    @staticmethod
    def _listener(job: _Job, advance: Callable[[CheckAdvanced], None]) -> Listen:
        """Return a function that takes a check's events, and reports what becomes known."""
        known = ""

        def listen(event: Event) -> None:
            nonlocal known
            before, known = known, add_known(known, event, job.lesson.info.tolerance)
            if known != before and not job.cancel.asked:
                advance(CheckAdvanced(job.submission, known))

        return listen

    def _try(
        self, checked: CheckFinished, then: Callable[[FixTried], None], cancel: Cancel
    ) -> None:
        tried = self._find_fix(checked, cancel)
        with self._changed:
            is_current = not cancel.asked
        cancel.close()
        if is_current:
            then(tried)

    def _find_fix(self, checked: CheckFinished, cancel: Cancel) -> FixTried:
        """Try fixes in workers of their own: the spare one is kept for the next save."""
        assert checked.verdict is not None, "only checks with a verdict are fixed"
        checker = replace(self._app.checker, behind=True)
        saved = checked.submission
        try:
            found = fix_submission(
                checker, checked.lesson, saved.text, saved.path, checked.verdict, cancel
            )
        except TutorError as error:
            return FixTried(checked, None, error)
        except Exception as error:  # noqa: BLE001 - as for a check
            return FixTried(checked, None, fault(error))
        return FixTried(checked, found)
