"""Draws Markdown in the terminal, readable at 40 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markdown import (
    CodeBlock,
    Heading,
    HorizontalRule,
    ListItem,
    Markdown,
    MarkdownElement,
    TableElement,
)
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from jaxtutor.display.code import highlight
from jaxtutor.display.theme import NARROW, visible


class _Heading(Heading):
    """A heading aligned left; rich centres it. Without colours an empty row stands below."""

    new_line = False

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        self.text.justify = "left"
        yield Text.assemble(self.text, style="title")
        if console.no_color or not console.color_system:
            yield Text()


class _Code(CodeBlock):
    """A code block in the terminal's own colours, indented, with long lines folded."""

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        code = str(self.text)
        language = self.lexer_name.split()[0] if self.lexer_name.split() else "text"
        yield highlight(code, language, indent=2)


class _Table(TableElement):
    """A table; narrow terminals get one line per row instead of columns."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        if options.max_width < NARROW:
            yield from self.lines()
            return
        for part in super().__rich_console__(console, options):
            assert isinstance(part, Table)
            for column in part.columns:
                column.overflow = "fold"
            yield part

    def lines(self) -> Iterator[Text]:
        """Write each row as a line: its first cell, then the others."""
        for row in self.body.rows if self.body else ():
            first, *others = (cell.content for cell in row.cells)
            rest = Text(", ").join(other for other in others if other)
            yield Text.assemble(first, ": ", rest, overflow="fold") if rest else first


class _PlainTable(_Table):
    """A table for screen readers: always one line per row."""

    def __rich_console__(self, *_: object) -> Iterator[RenderableType]:
        yield from self.lines()


class _PlainItem(ListItem):
    """A list item with a hyphen as its bullet."""

    def render_bullet(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in super().render_bullet(console, options):
            assert isinstance(segment, Segment)
            yield Segment(" - ", segment.style) if segment.text == " • " else segment


class _PlainRule(HorizontalRule):
    """A blank line instead of a horizontal rule."""

    def __rich_console__(self, *_: object) -> Iterator[RenderableType]:
        yield Text()


class Page(Markdown):
    """A Markdown page for terminals of 40 columns or more."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__(visible(text), hyperlinks=False)
        _show_all(self.parsed)


def _show_all(tokens: Iterable[Any]) -> None:
    """Escape control characters that entities such as `&rlm;` produced during parsing."""
    for token in tokens:
        token.content = visible(token.content)
        _show_all(token.children or ())


class PlainPage(Page):
    """A Markdown page without any drawing, for screen readers."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Page.elements,
        "list_item_open": _PlainItem,
        "table_open": _PlainTable,
        "hr": _PlainRule,
    }


def make_page(text: str, plain: bool) -> Page:
    """Create a page; a plain one is for screen readers."""
    return PlainPage(text) if plain else Page(text)
