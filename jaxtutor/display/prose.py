"""Owns how wide things are drawn and how a sentence is: what every page needs, and little more."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from jaxtutor.display.theme import Marks

WIDEST = 92


class ProseRenderer:
    """Draws for one console, with the marks that it can show."""

    def __init__(self, console: Console, marks: Marks) -> None:
        self.console = console
        self.marks = marks

    @property
    def width(self) -> int:
        """How wide things are drawn: the terminal, up to what is good to read."""
        return min(self.console.width, WIDEST)

    def prose(self, text: str) -> Text:
        """Set prose; code stands in colour, or between backticks where there is no colour."""
        if self.console.no_color or not self.console.color_system:
            return Text(text)
        drawn = Text()
        for index, piece in enumerate(text.split("`")):
            drawn.append(piece, style="code" if index % 2 else "")
        return drawn


def relative(path: Path) -> str:
    """Write a path shortly: from the home directory where it lies there."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
