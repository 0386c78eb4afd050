"""Owns how code looks: few colours of the terminal's, those that `look` has chosen."""

from __future__ import annotations

from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax

from jaxtutor.display.theme import BLUE, PURPLE, visible

_COLOURS = ANSISyntaxTheme(
    {
        ("Comment",): Style(dim=True),
        ("Keyword",): Style(color=BLUE),
        ("Operator", "Word"): Style(color=BLUE),
        ("Name", "Decorator"): Style(color=BLUE),
        ("Literal", "String"): Style(color=PURPLE),
        ("Literal", "Number"): Style(color=PURPLE),
    }
)


def highlight(text: str, language: str = "python", indent: int = 0) -> Syntax:
    """Make code that can be printed, on the terminal's own background, folded where too long."""
    return Syntax(
        visible(text).rstrip(),
        language,
        theme=_COLOURS,
        background_color="default",
        word_wrap=True,
        padding=(0, indent),
    )
