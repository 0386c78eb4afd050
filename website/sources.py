"""Defines the pages that Sphinx reads, and the references between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LONGEST_DESCRIPTION = 160
"""Characters of a description that a search engine shows."""
LONGEST_TITLE = 110


class SiteError(Exception):
    """A file names something that does not exist; the message begins with `FILE:LINE:`."""


@dataclass(frozen=True)
class SourcePage:
    """A page in Markdown. `path` is its address without slashes at the ends, such as `causes/x`.

    `title` is its heading. `tab` is what a search engine and a tab show; by default the heading.
    """

    path: str
    title: str
    text: str
    description: str = ""
    tab: str = ""
    widgets: frozenset[str] = field(default=frozenset())
    """The scripts that the page needs: `finder`."""

    def markdown(self) -> str:
        """Return the file for Sphinx: a header, the heading and the text."""
        about = shorten(plain(self.description), LONGEST_DESCRIPTION)
        header = {
            "orphan": True,
            "tab": shorten(plain(self.tab or self.title), LONGEST_TITLE),
            "about": about,
            "widgets": " ".join(sorted(self.widgets)),
        }
        lines = [f"{key}: {json.dumps(value)}" for key, value in header.items() if value]
        return "\n".join(["---", *lines, "---", "", f"# {self.title}", "", self.text.strip(), ""])


def plain(text: str) -> str:
    """Return a sentence of Markdown without its marks."""
    return " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").split())


def shorten(text: str, most: int) -> str:
    """Cut a text at a word, with an ellipsis, if it is longer than `most` characters."""
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    return (cut.rpartition(" ")[0] or cut).rstrip(",;:") + " …"


def link(text: str, path: str, anchor: str = "") -> str:
    """Return a link to another page of the site, for any page of it."""
    return f"[{text}](/{path}.md{f'#{anchor}' if anchor else ''})"


def line_of(text: str, part: str) -> int:
    """Return the line of a text that has a part, from 1; the first if none has it."""
    before, found, _ = text.partition(part)
    return before.count("\n") + 1 if found else 1


@dataclass(frozen=True)
class Names:
    """The names that texts may mention, with the paths of their pages."""

    causes: Mapping[str, str]
    classes: Mapping[str, str]
    lessons: Mapping[str, str]

    def path(self, name: str) -> str | None:
        """Return the path of the page with a name; None for another word."""
        places = (self.causes, self.classes, self.lessons)
        return next((found[name] for found in places if name in found), None)

    def linked(self, text: str, but: str = "") -> str:
        """Link each name in backticks to its page, except in code, in links and to page `but`."""

        def complete(part: re.Match[str]) -> str:
            name = part["name"]
            path = self.path(name) if name else None
            return link(f"`{name}`", path) if path and path != but else part[0]

        return _NAME_OR_OTHER.sub(complete, text)


_NAME_OR_OTHER = re.compile(
    r"^(?P<fence>```+)[^\n]*\n.*?^(?P=fence)[ \t]*$"  # a block of code
    r"|\[[^\]\n]*\]\([^)\n]*\)"  # a link
    r"|^#+ [^\n]*$"  # a heading
    r"|`(?P<name>[\w.-]+)`",
    re.M | re.S,
)


def bare_links(text: str) -> str:
    """Write each address that stands alone in an item of a list as a link."""
    return re.sub(r"^(\s*- )(https?://\S+)$", r"\1<\2>", text, flags=re.M)


def write_pages(pages: Iterable[SourcePage], folder: Path) -> Iterator[SourcePage]:
    """Write the pages into a folder, and yield them."""
    for page in pages:
        path = folder / f"{page.path}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page.markdown(), encoding="utf-8")
        yield page
