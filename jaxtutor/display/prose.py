"""Draws sentences, and decides how wide text is drawn."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from jaxtutor.display.theme import Marks

WIDEST = 92


class ProseRenderer:
    """Draws sentences for one console."""

    def __init__(self, console: Console, marks: Marks) -> None:
        self.console = console
        self.marks = marks

    @property
    def width(self) -> int:
        """The width of text in cells: that of the terminal, up to what is comfortable to read."""
        return min(self.console.width, WIDEST)

    def prose(self, text: str) -> Text:
        """Style the code in a sentence; without colour its backticks stay."""
        if self.console.no_color or not self.console.color_system:
            return Text(text)
        drawn = Text()
        for index, piece in enumerate(text.split("`")):
            drawn.append(piece, style="code" if index % 2 else "")
        return drawn


def relative(path: Path) -> str:
    """Shorten a path below the home directory to `~/…`."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
