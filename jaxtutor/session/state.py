"""Owns what a session knows: where the learner is, what was checked, what is being shown."""

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
    """What the session is showing and doing."""

    lesson: Lesson
    path: Path
    view: str = "text"
    checked: CheckFinished | None = None
    checking_since: float | None = None
    unread: bool = False  # what the file holds now could not be read, so it was not checked
    given: bool = False  # it holds the starter, as it was put there: nobody has saved it
    trying: CheckFinished | None = None  # what edits are being tried on
    tried: FixTried | None = None  # what came of it, as long as it is about the newest verdict
    notices: list[str] = field(default_factory=list)
    offset: int | None = None  # None: where the view's point is
    size: Size = UNKNOWN_SIZE
    running: str = ""  # the place of an editor that has the terminal or a part of it
    moving: int = 0  # to another lesson, when the editor has been left
    commanding: bool = False  # the prefix was pressed: the next keys are ours
    asking: tuple[str, Callable[[], None]] | None = None  # a question, and what a yes does
    choice: tuple[Editor, ...] = ()  # asked of a learner who has set no editor
    over: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """The newest verdict there is."""
        return self.checked.verdict if self.checked else None

    @property
    def has_failed(self) -> bool:
        """Tell whether the newest save was checked, and does not pass for a reason of its own."""
        verdict = None if self.is_overtaken else self.verdict
        return verdict is not None and verdict.status not in ("passed", "lesson_at_fault")

    @property
    def has_passed(self) -> bool:
        """Tell whether the newest save passed."""
        verdict = None if self.is_overtaken else self.verdict
        return verdict is not None and verdict.status == "passed"

    @property
    def is_overtaken(self) -> bool:
        """Tell whether the newest verdict is about a text that is no longer in the file."""
        return self.unread or self.checking_since is not None

    @property
    def room(self) -> int:
        """The rows there are beside the line of status."""
        return max(self.size.rows - 1, 0)

    def begin(self, lesson: Lesson, path: Path) -> None:
        """Turn to another lesson."""
        self.lesson, self.path = lesson, path
        self.checked = self.checking_since = self.trying = self.tried = None
        self.unread = self.given = False
        self.notices.clear()
        self.look_at("text")

    def look_at(self, view: str) -> None:
        """Show a view from its point on."""
        self.view, self.offset = view, None

    def scroll(self, key: str) -> None:
        """Move within the view; what is beyond its ends is cut when it is drawn."""
        page = max(self.room - 1, 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "space": page, "b": -page}
        ends = {"home": 0, "end": 1 << 30}
        self.offset = max(ends.get(key, (self.offset or 0) + steps.get(key, 0)), 0)

    def tell(self, *notices: str) -> None:
        """Say this above the view, in place of what was said before."""
        self.notices[:] = [notice for notice in notices if notice]
        if self.notices:
            self.offset = None  # so that they are seen

    def tell_of(self, error: TutorError) -> None:
        """Say what is wrong and what to do."""
        self.tell(error.message, error.remedy)
