"""Highlights code in the few terminal colours of `theme`."""

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
    """Highlight code on the terminal's own background; long lines are folded."""
    return Syntax(
        visible(text).rstrip(),
        language,
        theme=_COLOURS,
        background_color="default",
        word_wrap=True,
        padding=(0, indent),
    )
