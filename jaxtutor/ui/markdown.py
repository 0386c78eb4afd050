"""Owns Markdown in a terminal: headings at the left, highlighted code, readable at 40 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.console import Console, RenderableType
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.text import Text

from jaxtutor.ui.code import highlight
from jaxtutor.ui.look import visible


class _Heading(Heading):
    """A heading set at the left, where reading begins."""

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        self.text.justify = "left"
        yield Text.assemble(self.text, style="title")


class _Code(CodeBlock):
    """Code in the terminal's own colours, indented, folded where it is too long."""

    def __rich_console__(self, console: Console, options: object) -> Iterator[RenderableType]:
        code = str(self.text)
        language = self.lexer_name.split()[0] if self.lexer_name.split() else "text"
        yield highlight(code, language, indent=2)


class Page(Markdown):
    """A page of Markdown for reading in a terminal, down to 40 columns."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
    }

    def __init__(self, text: str) -> None:
        super().__init__(visible(text), hyperlinks=False)
