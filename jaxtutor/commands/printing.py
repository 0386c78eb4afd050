"""Owns how commands print what several of them print: a long page, code, a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.content.course import Lesson

if TYPE_CHECKING:
    from rich.console import RenderableType


def print_long(app: App, page: RenderableType) -> None:
    """Print a page, through a pager where a person reads and it does not fit the screen."""
    from rich.segment import Segment, Segments

    console = app.console
    options = console.options.update(width=app.pen.width)
    lines = console.render_lines(page, options, pad=False)  # drawn once, counted and printed
    drawn = Segments([part for line in lines for part in (*line, Segment.line())])
    if app.interactive and len(lines) > console.height:
        from jaxtutor.display.pager import page as show

        with console.capture() as capture:
            console.print(drawn, end="")
        if show(capture.get(), app.environ):
            return
    console.print(drawn, end="")


def print_code(app: App, source: str) -> None:
    """Print Python as it is, but for what a terminal would obey; coloured where a person looks."""
    from jaxtutor.core.data.sanitize import visible

    if app.console.is_terminal and not app.options.plain:
        from jaxtutor.display.code import highlight

        app.console.print(highlight(visible(source)))
    else:
        # Tabs stay what they are, since a pipe may lead into a file.
        app.stdout.write("\t".join(map(visible, source.split("\t"))))


def say(app: App, lesson: Lesson, message: str) -> int:
    """Say one sentence about a lesson."""
    if app.options.json:
        app.print_json({"schema": 1, "lesson": lesson.slug, "message": message})
    else:
        from rich.text import Text

        app.console.print(Text(message, overflow="fold"))
    return PASSED
