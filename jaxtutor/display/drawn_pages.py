"""Keeps drawn Markdown pages, because drawing one loads a parser and highlights its code.

A file holds the pieces of a page with their styles, under everything that decides how it is drawn:
the text, the width, the colours, and the programs that draw. A file that does not fit is ignored.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.style import Style

from jaxtutor import __version__
from jaxtutor.storage import caches

DRAWING = ("rich", "pygments", "markdown_it", "jaxtutor.display.markdown", "jaxtutor.display.code")
"""The modules whose replacement may change what is drawn."""
COLOURED = ("passed", "failed", "mark", "code")
"""One style of each colour of a theme."""


class _Drawn(Struct, array_like=True):
    """A drawn page: what it was drawn from, its styles, and each piece with a style's number."""

    origin: list[str]
    styles: list[str]
    pieces: list[tuple[str, int]]


class StoredPage:
    """A Markdown page that is drawn once for each width and theme, and then read from `folder`."""

    def __init__(self, text: str, plain: bool, folder: Path) -> None:
        self.text = text
        self.plain = plain
        self.folder = folder

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        origin = [self.text, str(self.plain), *_describe(console, options)]
        key = zlib.crc32("\0".join(origin).encode("utf-8", "surrogatepass"))
        path = self.folder / f"{key:08x}.json"
        drawn = _read(path, origin)
        if drawn is None:
            drawn = self._draw(console, options, origin)
            caches.write(path, msgspec.json.encode(drawn))
        styles = [Style.parse(style) for style in drawn.styles]
        return (Segment(text, styles[number]) for text, number in drawn.pieces)

    def _draw(self, console: Console, options: ConsoleOptions, origin: list[str]) -> _Drawn:
        from jaxtutor.display.markdown import make_page

        numbers: dict[str, int] = {}
        pieces = [
            (segment.text, numbers.setdefault(str(segment.style or "none"), len(numbers)))
            for segment in console.render(make_page(self.text, self.plain), options)
        ]
        return _Drawn(origin, list(numbers), pieces)


def _describe(console: Console, options: ConsoleOptions) -> Iterator[str]:
    """Yield what decides how a page is drawn, besides its text."""
    yield __version__
    yield from (str(_changed(name)) for name in DRAWING)
    yield from (str(console.get_style(name)) for name in COLOURED)
    yield from map(str, (options.max_width, options.ascii_only, options.legacy_windows))


def _changed(module: str) -> int:
    """Return when a module's file was written, in ns."""
    found = find_spec(module)
    return Path(found.origin).stat().st_mtime_ns if found and found.origin else 0


def _read(path: Path, origin: Sequence[str]) -> _Drawn | None:
    try:
        drawn = msgspec.json.decode(caches.read(path), type=_Drawn)
    except msgspec.MsgspecError:
        return None
    known = range(len(drawn.styles))
    fits = drawn.origin == origin and all(number in known for _, number in drawn.pieces)
    return drawn if fits else None
