"""Implements `repl`: a prompt at a terminal, otherwise it runs the cells of standard input."""

from __future__ import annotations

import sys
from contextlib import ExitStack
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

PASSED, FAILED = 0, 1


def repl(app: App, lesson: str | None, keys: str | None = None) -> int:
    """Run cells as they are entered. Return 1 if a cell from a file or a pipe failed."""
    if keys not in (None, "emacs", "vi"):
        raise UsageError(f"Invalid key bindings {keys!r}.", "Choose emacs or vi.")
    Path.cwd()  # cells run in the working directory, so it must exist
    early, app.early = app.early, None
    try:
        context = _lesson_context(app, lesson) if lesson else None
        kind = spawn.for_prompt(app.options.device, context.cpus if context else 1)
        if early is not None and early.kind != kind:
            _reap(early)
            early = None
        drawing = Drawing(app)
        kernel = Kernel(kind, early, drawing.print_message, drawing.note_key)
        early = None
    finally:
        if early is not None:
            _reap(early)
    with ExitStack() as stack:
        stack.callback(kernel.close)
        if context is not None:
            stack.enter_context(app.holding_files())
        if not app.interactive:
            dispatcher = Dispatcher(app, kernel, drawing, context, Transcript(is_text=True))
            return _run_all(dispatcher, sys.stdin.read())
        from jaxtutor.repl.prompt import run_prompt

        dispatcher = Dispatcher(app, kernel, drawing, context)
        return run_prompt(app, kernel, dispatcher, context, keys or _chosen_keys(app))


def _chosen_keys(app: App) -> str | None:
    """Return the key bindings of the settings; None if readline's setting decides."""
    chosen = str(app.settings.value("keys"))
    return None if chosen == "auto" else chosen


def _lesson_context(app: App, lesson: str) -> LessonContext:
    from jaxtutor.repl.lesson_context import LessonContext

    app.trust_course()  # the prompt runs the course's starter
    found = app.lesson(lesson)
    found.require_packages()
    app.trust_course()
    return LessonContext(app, found)


def _reap(process: spawn.Process) -> None:
    from jaxtutor.processes.reaping import reap

    reap(process)


def _run_all(dispatcher: Dispatcher, text: str) -> int:
    """Run every cell of a text."""
    from jaxtutor.core.repl.cells import split_cells

    status = PASSED
    for line, cell in split_cells(text):
        if not dispatcher.enter(cell, line):
            status = FAILED
        if dispatcher.is_leaving:
            break
    return status
