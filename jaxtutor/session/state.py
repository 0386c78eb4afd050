"""Holds the state of a session: the lesson, the newest verdict, the view, the editor."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.errors import TutorError
from jaxtutor.session.messages import Size

if TYPE_CHECKING:
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.core.data.verdicts import Verdict
    from jaxtutor.core.terminal.chooser import Chooser
    from jaxtutor.system.editor import Editor
    from jaxtutor.watch.background import CheckFinished, FixTried


CLOSED_BY_THEMSELVES = ("keys", "cause")
"""Views that the key which opened them also closes, as Esc does."""
_UP, _DOWN = ("up", "k", "c-p", "c-y"), ("down", "j", "c-n", "c-e")
_PAGE_UP, _PAGE_DOWN = ("pageup", "b", "c-b", "c-u"), ("pagedown", "space", "c-f", "c-d")
SLOW_SECONDS = 3.0
"""Seconds of a check after which the verdict on the previous save is not shown any longer."""
UNKNOWN_SIZE = Size(80, 24, 24)


@dataclass
class SessionState:
    """The state of a session."""

    lesson: Lesson
    path: Path
    view: str = "text"
    text: str | None = None  # the text in the file, checked or being checked
    checked: CheckFinished | None = None
    checking_since: float | None = None
    known: str = ""  # about the text that is being checked
    unread: bool = False  # the file's present contents could not be read, so were not checked
    given: bool = False  # the file contains the unchanged starter, which nobody has saved
    trying: CheckFinished | None = None  # the check for which fixes are being tried
    tried: FixTried | None = None  # the result of that, while it is about the newest verdict
    checks: int = 0  # how many checks have finished
    notices: list[str] = field(default_factory=list)
    offset: int | None = None  # the first line shown; None for the view's default
    reads_on: bool = False  # the default for a lesson's text is what follows its task
    size: Size = UNKNOWN_SIZE
    running: str = ""  # the layout of an editor that uses the terminal
    moving: Lesson | None = None  # the lesson to open once the editor has been left
    preview: Lesson | None = None  # the lesson whose page is shown before its file is opened
    whole: bool = False  # the panel has the whole screen
    before: tuple[str, int | None] = ("text", None)  # the view below one that closes
    asking: tuple[str, Callable[[], None]] | None = None  # a question, and the action for yes
    chooser: Chooser | None = None  # the list that is shown, if it was moved in or filtered
    choice: tuple[Editor, ...] = ()  # the editors offered to a learner who has set none
    over: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """The newest verdict, if any."""
        return self.checked.verdict if self.checked else None

    @property
    def has_failed(self) -> bool:
        """Return whether the newest save was checked and does not pass."""
        verdict = None if self.is_outdated else self.verdict
        return verdict is not None and verdict.status not in ("passed", "lesson_at_fault")

    @property
    def has_passed(self) -> bool:
        """Return whether the newest save passed."""
        verdict = None if self.is_outdated else self.verdict
        return verdict is not None and verdict.status == "passed"

    @property
    def is_outdated(self) -> bool:
        """Return whether the newest verdict is about text that is no longer in the file."""
        return self.unread or self.checking_since is not None

    @property
    def is_slow(self) -> bool:
        """Return whether a check has taken so long that the screen has to say so."""
        since = self.checking_since
        return since is not None and time.monotonic() - since >= SLOW_SECONDS

    @property
    def room(self) -> int:
        """The number of rows without the status line."""
        rows = self.size.screen_rows if self.whole else self.size.rows
        return max(rows - 1, 0)

    @property
    def is_compact(self) -> bool:
        """Return whether few rows are available, below an editor."""
        return self.size.panel and not self.whole

    @property
    def shows_text(self) -> bool:
        """Return whether a lesson's text is shown, that of the lesson or of one not yet opened."""
        return self.view == "text" or self.preview is not None

    def read_on(self) -> None:
        """Show what follows the task in the text."""
        if not self.shows_text:
            self.show_view("text")
        self.reads_on, self.offset = True, None

    def start_lesson(self, lesson: Lesson, path: Path) -> None:
        """Switch to another lesson."""
        self.lesson, self.path = lesson, path
        self.checked = self.checking_since = self.trying = self.tried = self.text = None
        self.unread = self.given = False
        self.moving = self.preview = None
        self.notices.clear()
        self.show_view("text")

    def show_view(self, view: str) -> None:
        """Switch to a view, at its default position; some views close again with the same key."""
        self.chooser, self.reads_on = None, False
        if view == self.view and view in CLOSED_BY_THEMSELVES:
            self.close_view()
            return
        if self.view not in CLOSED_BY_THEMSELVES:
            self.before = self.view, self.offset
        self.view, self.offset = view, None

    def close_view(self) -> None:
        """Go back to the view from which the help or a cause's page was opened."""
        if self.view in CLOSED_BY_THEMSELVES:
            self.view, self.offset = self.before

    def leave_panel(self) -> None:
        """Give the keys, and the upper rows if the panel has them, back to the editor."""
        self.asking = self.preview = self.chooser = None
        self.show_whole(False)

    def show_whole(self, whole: bool) -> None:
        """Use the whole screen for the panel, or only the rows below the editor."""
        if whole != self.whole:
            self.whole, self.offset = whole, None

    def scroll(self, key: str) -> None:
        """Scroll the view; positions beyond its ends are corrected when it is drawn."""
        page = max(self.room - 1, 1)
        steps = {**dict.fromkeys(_UP, -1), **dict.fromkeys(_DOWN, 1)}
        steps |= {**dict.fromkeys(_PAGE_UP, -page), **dict.fromkeys(_PAGE_DOWN, page)}
        ends = {"home": 0, "g": 0, "end": 1 << 30, "G": 1 << 30}
        self.offset = max(ends.get(key, (self.offset or 0) + steps.get(key, 0)), 0)

    def notify(self, *notices: str) -> None:
        """Show notices above the view, in place of earlier ones."""
        self.notices[:] = [notice for notice in notices if notice]
        if self.notices:
            self.offset = None  # scroll to where they are visible

    def notify_error(self, error: TutorError) -> None:
        """Show an error's message and remedy as notices."""
        self.notify(error.message, error.remedy)
