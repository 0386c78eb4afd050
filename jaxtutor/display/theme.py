"""Creates the console: its colours, its marks, and the escaping of control characters."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import TextIO

from msgspec import Struct
from msgspec.structs import astuple
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Span, Text
from rich.theme import Theme

from jaxtutor.core.data.sanitize import visible
from jaxtutor.system.wrapping import NARROWEST

__all__ = ["Marks", "choose_marks", "make_console", "visible"]

GREEN, RED, PURPLE, BLUE = "color(29)", "color(160)", "color(133)", "color(27)"
"""Four of the 256 colours, readable on black and on white and distinguishable by colour-blind
people. The figures are in docs/styleguide.md; tests/test_colours.py checks them."""


def make_theme(green: str = GREEN, red: str = RED, purple: str = PURPLE, blue: str = BLUE) -> Theme:
    """Create the theme; docs/styleguide.md explains each style."""
    return Theme(
        {
            # Marks stand out even in a dim line, and dim text has no colour.
            "passed": f"not dim bold {green}",
            "failed": f"not dim bold {red}",
            "skipped": "dim",
            "added": green,
            "removed": red,
            "mark": f"not dim bold {purple}",
            "code": blue,
            "quiet": "not bold dim default",
            "title": "bold",
            "key": f"bold {blue}",
            "markdown.h1": "bold",
            "markdown.h2": "bold",
            "markdown.h3": "bold",
            "markdown.h4": "bold",
            "markdown.code": blue,
            "markdown.code_block": blue,
            "markdown.block_quote": "none",
            "markdown.list": "none",
            "markdown.item.number": "bold",
            "markdown.item.bullet": "bold",
            "markdown.link": blue,
            "markdown.link_url": f"underline {blue}",
            "markdown.table.header": "bold",
            "markdown.table.border": "dim",
        },
        inherit=True,
    )


FEW = ("green", "red", "magenta", "cyan")
"""With 16 colours the terminal chooses the shades, and blue is often too dark on black."""
ON_DARK = ("color(40)", "color(204)", "color(212)", "color(69)")
ON_LIGHT = ("color(23)", "color(88)", "color(91)", "color(21)")
"""Green, red, purple and blue for one background only: more contrast than is possible on both."""
COLOUR_SETS = {
    "auto": (GREEN, RED, PURPLE, BLUE),
    "dark": ON_DARK,
    "light": ON_LIGHT,
    "none": ("default",) * 4,
}
"""Green, red, purple and blue of each set of colours."""

NARROW = 60
"""Columns. Below this, the columns of a table of prose would be a few letters wide."""


class Marks(Struct, frozen=True):
    """The symbols for each state."""

    passed: str
    failed: str
    skipped: str
    note: str
    here: str
    gap: str
    full: str
    empty: str
    lesson_passed: str
    lesson_started: str
    lesson_new: str


FANCY = Marks("✓", "✗", "·", "!", "→", "…", "━", "─", "✓", "•", "·")
ASCII = Marks("+", "x", ".", "!", ">", "...", "#", "-", "+", "*", ".")
WORDS = Marks(
    "passed:", "failed:", "later:", "note:", "here:", "...", "", "", "passed", "started", "new"
)


class _Console(Console):
    """A console that escapes control characters in everything it prints."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render to segments without control characters."""
        if isinstance(renderable, Text):
            renderable = _visible_text(renderable)  # before line breaking, which counts cells
            if renderable.no_wrap and renderable.overflow == "ignore":  # one line, as it is
                yield from renderable.render(self, end=renderable.end)
                return
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(visible(text), style)


class _Trimmed(StringIO):
    """A stream that is not a terminal, without the spaces with which rich fills lines."""

    def __init__(self, file: TextIO) -> None:
        super().__init__()
        self.file = file

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the stream's encoding, from which the marks are chosen."""
        return self.file.encoding

    def fileno(self) -> int:
        """Return the stream's descriptor."""
        return self.file.fileno()

    def write(self, text: str) -> int:
        """Write the text without the spaces before its line ends."""
        return self.file.write(re.sub(r" +\n", "\n", text))

    def flush(self) -> None:
        """Flush the stream."""
        self.file.flush()


def _visible_text(text: Text) -> Text:
    """Escape a styled text's control characters, keeping their styles."""
    if visible(text.plain) == text.plain:
        return text
    shown = text.blank_copy()
    for piece in text.divide(range(1, len(text))):
        piece.plain = visible(piece.plain)
        piece.spans = [Span(0, len(piece), span.style) for span in piece.spans]
        shown.append_text(piece)
    return shown


def make_console(
    file: TextIO, plain: bool, environ: Mapping[str, str], colours: str = "auto"
) -> Console:
    """Create the console of a stream; rich reads NO_COLOR, FORCE_COLOR and COLUMNS.

    `colours` names one of COLOUR_SETS.
    """
    console = _Console(
        file=file if file.isatty() else _Trimmed(file),
        theme=make_theme(*COLOUR_SETS[colours]),
        no_color=True if plain else None,
        force_terminal=False if plain else None,
        highlight=False,
        emoji=False,
        markup=False,
        width=None if file.isatty() else _width(environ),
        soft_wrap=False,
    )
    if console.color_system == "standard" and colours != "none":
        console.push_theme(make_theme(*FEW))
    return console


def _width(environ: Mapping[str, str]) -> int:
    """Return COLUMNS; a pipe has no width, so the default is a comfortable line length."""
    columns = environ.get("COLUMNS", "")
    return max(int(columns), NARROWEST) if columns.isdigit() else 100


def choose_marks(console: Console, plain: bool) -> Marks:
    """Choose the marks that the stream can encode."""
    if plain:
        return WORDS
    encoding = getattr(console.file, "encoding", None) or sys.getdefaultencoding()
    try:
        "".join(astuple(FANCY)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return FANCY
