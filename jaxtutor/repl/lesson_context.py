"""Connects the prompt to a lesson: its files, `:check`, `:hint` and `:save`."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from jaxtutor.app import App
from jaxtutor.checks.attempts import file_to_check
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.repl.merging import Merged, merge
from jaxtutor.core.repl.messages import File
from jaxtutor.core.repl.transcript import Cell, Transcript
from jaxtutor.display.prose import relative
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.storage import workspace

_LINE = re.compile(r"[0-9]{1,18}")


class LessonContext:
    """The lesson that the prompt was started with."""

    def __init__(self, app: App, lesson: Lesson) -> None:
        self._app = app
        self.lesson = lesson
        self.path = file_to_check(app, lesson)
        self._loaded: str | None = None

    @property
    def cpus(self) -> int:
        """The number of CPU devices that the lesson needs."""
        return self.lesson.info.needs.devices

    def files(self) -> tuple[File, ...]:
        """Return the starter and the learner's file; names of the latter take precedence."""
        starter = File("starter", str(self.lesson.folder / "starter.py"), self.lesson.starter)
        self._loaded = self._text()
        if self._loaded is None:
            return (starter,)
        return (starter, File("submission", str(self.path), self._loaded))

    def has_changed(self) -> bool:
        """Return whether the learner's file differs from the loaded one."""
        return self._text() != self._loaded

    def _text(self) -> str | None:
        with suppress(TutorError):
            return workspace.read(self.path).text
        return None

    # ------------------------------------------------------------ commands

    def check(self) -> bool:
        """Check the learner's file."""
        from jaxtutor.commands.verdicts import check

        return check(self._app, self.lesson.slug, None) == 0

    def hint(self) -> bool:
        """Show the next hint."""
        from jaxtutor.commands.hints import hint

        return hint(self._app, self.lesson.slug, False, False) == 0

    def save(self, session: Transcript, argument: str) -> str:
        """Write a cell's definitions into the learner's file; return a message. Raises TutorError.

        A copy of the old text is saved in the store first.
        """
        cell = _choose(session, argument)
        saved = workspace.read(self.path)
        before = saved.text
        merged = merge(before, cell.source)
        if not merged.names:
            raise UsageError(
                f"The cell at line {cell.line} contains no definitions.",
                "`:save` writes functions, classes, imports and constants.",
            )
        if merged.source == before:
            return f"{relative(self.path)} already contains them."
        number = self._app.store.keep_source(self.lesson.slug, saved.data, "before :save")
        workspace.write_atomically(self.path, saved.encode(merged.source))
        return _report(self.path, merged, number, self.lesson.slug)


def _choose(session: Transcript, argument: str) -> Cell:
    """Return the cell at a line, or the last one that defines something."""
    if argument:
        cell = session.cell_at(int(argument)) if _LINE.fullmatch(argument) else None
        if cell is None:
            raise UsageError(
                f"No cell is at line {argument!r}.", "Give a line number, such as `:save 12`."
            )
        return cell
    defining = [cell for cell in session.cells[1:] if merge("", cell.source).names]
    if not defining:
        raise UsageError("No cell contains definitions yet.", "Define the function first.")
    return defining[-1]


def _report(path: Path, merged: Merged, number: int, slug: str) -> str:
    names = ", ".join(f"`{name}`" for name in merged.names)
    restore = f"Old text: jaxtutor restore k{number} {slug}"
    return f"{names} written to {relative(path)}. {restore}"
