"""Holds the state of a session: the lesson, the newest verdict, the view, the editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.errors import TutorError
from jaxtutor.session.messages import Size

if TYPE_CHECKING:
    from jaxtutor.checking.background import CheckFinished, FixTried
    from jaxtutor.content.course import Lesson
    from jaxtutor.core.data.model import Verdict
    from jaxtutor.system.editor import Editor


KEYS = (
    ("enter", "edit"),
    ("v", "verdict"),
    ("t", "text"),
    ("h", "hint"),
    ("f", "fix"),
    ("j", "jaxpr"),
    ("d", "diff"),
    ("a", "attempts"),
    ("n", "next"),
    ("p", "previous"),
    ("l", "list"),
    ("c", "check again"),
    ("r", "reset"),
    ("q", "quit"),
)
PANEL_KEYS = (
    ("esc", "back"),
    ("h", "hint"),
    ("arrows", "scroll"),
    ("v", "verdict"),
    ("t", "text"),
    ("n", "next"),
    ("f", "fix"),
    ("j", "jaxpr"),
    ("d", "diff"),
    ("a", "attempts"),
    ("+ -", "size"),
    ("q", "quit"),
)
UNKNOWN_SIZE = Size(80, 24, 24)


@dataclass
class SessionState:
    """The state of a session."""

    lesson: Lesson
    path: Path
    view: str = "text"
    checked: CheckFinished | None = None
    checking_since: float | None = None
    unread: bool = False  # the file's present contents could not be read, so were not checked
    given: bool = False  # the file contains the unchanged starter, which nobody has saved
    trying: CheckFinished | None = None  # the check for which fixes are being tried
    tried: FixTried | None = None  # the result of that, while it is about the newest verdict
    notices: list[str] = field(default_factory=list)
    offset: int | None = None  # the first line shown; None for the view's default
    size: Size = UNKNOWN_SIZE
    running: str = ""  # the layout of an editor that uses the terminal
    moving: int = 0  # the step to another lesson, taken once the editor has been left
    commanding: bool = False  # the prefix key was pressed: the next keys are ours
    asking: tuple[str, Callable[[], None]] | None = None  # a question, and the action for yes
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
    def room(self) -> int:
        """The number of rows without the status line."""
        return max(self.size.rows - 1, 0)

    def start_lesson(self, lesson: Lesson, path: Path) -> None:
        """Switch to another lesson."""
        self.lesson, self.path = lesson, path
        self.checked = self.checking_since = self.trying = self.tried = None
        self.unread = self.given = False
        self.notices.clear()
        self.show_view("text")

    def show_view(self, view: str) -> None:
        """Switch to a view, at its default position."""
        self.view, self.offset = view, None

    def scroll(self, key: str) -> None:
        """Scroll the view; positions beyond its ends are corrected when it is drawn."""
        page = max(self.room - 1, 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "space": page, "b": -page}
        ends = {"home": 0, "end": 1 << 30}
        self.offset = max(ends.get(key, (self.offset or 0) + steps.get(key, 0)), 0)

    def notify(self, *notices: str) -> None:
        """Show notices above the view, in place of earlier ones."""
        self.notices[:] = [notice for notice in notices if notice]
        if self.notices:
            self.offset = None  # scroll to where they are visible

    def notify_error(self, error: TutorError) -> None:
        """Show an error's message and remedy as notices."""
        self.notify(error.message, error.remedy)
