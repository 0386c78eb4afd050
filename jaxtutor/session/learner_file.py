"""Watches the learner's file for a session, has it checked, and replaces its contents."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from jaxtutor.checks.attempts import is_given
from jaxtutor.checks.project_files import given
from jaxtutor.core.debounce import FileEvent, InitialContent, Missing, ReadFailed, Saved
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace
from jaxtutor.storage.workspace import Submission
from jaxtutor.watch.background import Background, CheckAdvanced, CheckFinished, FixTried
from jaxtutor.watch.file_watcher import FileWatcher

if TYPE_CHECKING:
    from pathlib import Path

    from jaxtutor.app import App
    from jaxtutor.session.hint_views import HintViews
    from jaxtutor.session.state import SessionState

SessionEvent = CheckAdvanced | CheckFinished | FixTried | tuple["Path", FileEvent]


class LearnerFile:
    """The file of the present lesson.

    `post` gets events from other threads. `reload` makes the editor read the file again, or
    returns what the learner has to do for that.
    """

    def __init__(
        self,
        app: App,
        state: SessionState,
        hints: HintViews,
        post: Callable[[SessionEvent], None],
        reload: Callable[[], str],
    ) -> None:
        self._app = app
        self._state = state
        self._hints = hints
        self._post = post
        self._reload = reload
        self._submitted: Submission | None = None  # the newest; verdicts on others are dropped

    def open(self) -> None:
        """Start to watch the file, which no other command moves now; `close` ends that."""
        self._held = ExitStack()
        self._held.enter_context(self._app.holding_files())
        self._background = Background(self._app, self._post, self._post)
        self._watch = FileWatcher(self._state.path, lambda *event: self._post(event))

    def close(self) -> None:
        """Stop watching and checking."""
        self._watch.stop()
        self._background.close()
        self._held.close()

    def follow(self) -> None:
        """Watch the file of the lesson that the session has moved to."""
        self._background.cancel()
        self._submitted = None
        self._watch.retarget(self._state.path)

    # ------------------------------------------------------------ checks

    def handle(self, event: FileEvent) -> None:
        """Handle an event of the watcher for the lesson's file."""
        match event:
            case InitialContent(data):
                self._check(data, saved=False)
            case Saved(data):
                self._check(data)
            case Missing():
                key = self._hints.key("r")
                remedy = f"Save it again, or press {key} to restore the starter."
                self._cannot_read("The file does not exist.", remedy)
            case ReadFailed(reason):
                self._cannot_read(f"The file cannot be read: {reason}.")

    def show_progress(self, advanced: CheckAdvanced) -> None:
        """Show what is known about the newest text before its check ends."""
        if advanced.submission is self._submitted:
            self._state.known = advanced.known

    def show_verdict(self, checked: CheckFinished) -> None:
        """Show a verdict, unless it is about an older text.

        One that comes again, with the mistake behind a wrong answer, leaves the screen where it is.
        """
        state = self._state
        if checked.submission is not self._submitted:  # a newer save has replaced it
            return
        is_again = state.checked is not None and state.checked.submission is checked.submission
        state.checking_since = None
        state.checked = checked
        state.checks += not is_again
        if state.view == "verdict" and not is_again:
            state.offset = None
        self.try_fix()

    def try_fix(self) -> None:
        """Try to find a fix if every hint was taken and its result can be shown."""
        state = self._state
        checked = state.checked
        if (
            checked is not None
            and state.has_failed
            and state.running != "whole"
            and checked not in (state.trying, state.tried and state.tried.checked)
            and self._hints.is_used_up
        ):
            state.trying = checked
            self._background.try_fix(checked, self._post)

    def _check(self, data: bytes, saved: bool = True) -> None:
        state = self._state
        try:
            submission = workspace.decode(state.path, data)
        except TutorError as error:
            self._cannot_read(error.message, error.remedy)
            return
        state.trying = state.tried = None
        # An unchanged starter has no verdict to show: keep the lesson's text in view.
        state.given = not saved and is_given(self._app, state.lesson, submission.text)
        if not state.given:
            state.show_view("verdict")
        if state.unread or saved:  # otherwise keep notices about the editor, a reset, a restore
            state.notify()
            state.unread = False
        state.checking_since, state.known = time.monotonic(), ""
        state.text = submission.text
        self._submitted = submission
        self._background.submit(state.lesson, submission, saved)

    def check_again(self) -> None:
        """Check what is in the file now."""
        try:
            self._check(workspace.read_bytes(self._state.path))
        except TutorError as error:
            self._cannot_read(error.message, error.remedy)

    def _cannot_read(self, *notices: str) -> None:
        """Explain why the present contents of the file were not checked."""
        self._background.cancel()
        self._submitted = None
        self._state.checking_since, self._state.unread = None, True
        self._state.trying = None
        self._state.notify(*notices)

    # ------------------------------------------------------------ new contents

    def reset(self) -> None:
        """Put the starter into the file."""
        state, lesson = self._state, self._state.lesson
        try:
            starter = given(self._app, lesson)
            self._replace_file(workspace.encode(starter), "before reset")
            state.show_view("text")
            said = "The starter was restored. To see your text: jaxtutor history"
            state.notify(self._reload(), said)
        except TutorError as error:
            state.notify_error(error)

    def restore(self, number: int) -> None:
        """Put the text of an attempt into the file."""
        state = self._state
        try:
            attempt = self._app.store.attempt(state.lesson.slug, number)
            assert attempt is not None, "it was in the list"
            data = workspace.encode(self._app.store.source(attempt))
            self._replace_file(data, f"before restoring {number}")
            said = f"Attempt {number} was restored. To see your text: jaxtutor history"
            state.notify(self._reload(), said)
        except TutorError as error:
            state.notify_error(error)

    def _replace_file(self, data: bytes, reason: str) -> None:
        """Replace the learner's file; a copy is stored first. Raises TutorError."""
        state = self._state
        present = workspace.present(state.path)
        if present is not None:
            self._app.store.keep_source(state.lesson.slug, present, reason)
        workspace.write_atomically(state.path, data)
        self._watch.retarget(state.path)
        state.unread = False
