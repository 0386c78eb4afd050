"""Owns the command `repl`: at a terminal a prompt, otherwise the cells of standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.core.repl.transcript import Transcript
from jaxtutor.errors import UsageError
from jaxtutor.processes import spawn
from jaxtutor.repl.dispatcher import Dispatcher
from jaxtutor.repl.kernel import Kernel
from jaxtutor.repl.rendering import Drawing

if TYPE_CHECKING:
    from jaxtutor.repl.lesson_context import LessonContext

WELL, FAILED = 0, 1


def repl(app: App, lesson: str | None, keys: str | None = None) -> int:
    """Run cells as they are entered. Returns 1 if one that came from a file or a pipe failed."""
    if keys not in (None, "emacs", "vi"):
        raise UsageError(f"There are no keys {keys!r}.", "Choose emacs or vi.")
    Path.cwd()  # cells run in it, so it has to be there
    early, app.early = app.early, None
    try:
        bench = _bench(app, lesson) if lesson else None
        kind = spawn.for_prompt(app.options.device, bench.cpus if bench else 1)
        if early is not None and early.kind != kind:
            _bury(early)
            early = None
        drawing = Drawing(app)
        kernel = Kernel(kind, early, drawing.say, drawing.heard_key)
        early = None
    finally:
        if early is not None:
            _bury(early)
    try:
        if not app.interactive:
            desk = Dispatcher(app, kernel, drawing, bench, Transcript(is_text=True))
            return _read_all(desk, sys.stdin.read())
        from jaxtutor.repl.prompt import converse

        desk = Dispatcher(app, kernel, drawing, bench)
        return converse(app, kernel, desk, bench, keys)
    finally:
        kernel.close()


def _bench(app: App, lesson: str) -> LessonContext:
    from jaxtutor.repl.lesson_context import LessonContext

    app.trust_course()  # the starter runs at the prompt
    found = app.course.find(lesson)
    app.trust_course()  # its starter is run
    return LessonContext(app, found)


def _bury(process: spawn.Process) -> None:
    from jaxtutor.processes.runner import bury

    bury(process)


def _read_all(desk: Dispatcher, text: str) -> int:
    """Run every cell of a text."""
    from jaxtutor.core.repl.cells import split_cells

    status = WELL
    for line, cell in split_cells(text):
        if not desk.enter(cell, line):
            status = FAILED
        if desk.is_leaving:
            break
    return status
