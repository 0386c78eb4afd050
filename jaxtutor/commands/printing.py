"""Prints what several commands need: long pages, source code, one-line messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.content.lesson import Lesson

if TYPE_CHECKING:
    from rich.console import RenderableType


def print_long(app: App, page: RenderableType, width: int | None = None) -> None:
    """Print a page, in a pager if it does not fit the screen of a terminal.

    `width` is in columns, and by default that of prose.
    """
    console = app.console
    with console.capture() as capture:  # drawn once, to count the lines and to print them
        console.print(page, width=width or app.prose_renderer.width)
    drawn = capture.get()
    if app.interactive and drawn.count("\n") > console.height:
        from jaxtutor.display.pager import page as show

        if show(drawn, app.environ):
            return
    console.file.write(drawn)


def print_code(app: App, source: str) -> None:
    """Print Python unchanged except for control characters; highlighted on a terminal."""
    from jaxtutor.core.data.sanitize import visible

    if app.console.is_terminal and not app.options.plain:
        from jaxtutor.display.code import highlight

        app.console.print(highlight(visible(source)))
    else:
        # Keep tabs: the output may be redirected to a file and run.
        app.stdout.write("\t".join(map(visible, source.split("\t"))))


def print_message(app: App, lesson: Lesson, message: str) -> int:
    """Print one sentence about a lesson, or its JSON form."""
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import MessageOutput

        app.print_json(MessageOutput(lesson=lesson.slug, message=message))
    else:
        from rich.text import Text

        app.console.print(Text(message, overflow="fold"))
    return PASSED
