"""Highlights code in the few terminal colours of `theme`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax

from jaxtutor.display.theme import visible


@dataclass(frozen=True)
class HighlightedCode:
    """Code in the colours of the console that draws it."""

    text: str
    language: str
    indent: int
    is_numbered: bool = False

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        none = Style()  # a console of another theme measures pages
        names = Style(color=console.get_style("code", default=none).color)
        literals = Style(color=console.get_style("mark", default=none).color)
        theme = ANSISyntaxTheme(
            {
                ("Comment",): Style(dim=True),
                ("Keyword",): names,
                ("Operator", "Word"): names,
                ("Name", "Decorator"): names,
                ("Literal", "String"): literals,
                ("Literal", "Number"): literals,
            }
        )
        yield Syntax(
            visible(self.text).rstrip(),
            self.language,
            theme=theme,
            background_color="default",
            word_wrap=True,
            padding=(0, self.indent),
            line_numbers=self.is_numbered,
        )


def highlight(
    text: str, language: str = "python", indent: int = 0, is_numbered: bool = False
) -> HighlightedCode:
    """Highlight code on the terminal's own background; long lines are folded."""
    return HighlightedCode(text, language, indent, is_numbered)
