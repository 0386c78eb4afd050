"""Keeps drawn pages, because drawing one loads a Markdown parser and highlights its code.

A file holds the pieces of a page with their styles, under everything that decides how it is drawn:
the text, the width, the colours, and the programs that draw. A file that does not fit is ignored.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderableType
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
    """A page that is drawn once for each width and theme, and then read from `folder`."""

    def __init__(self, text: str, folder: Path, draw: Callable[[], RenderableType]) -> None:
        """Create the page of a text; `draw` is called only if the page is not in the folder."""
        self.text = text
        self.folder = folder
        self.draw = draw

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        origin = [self.text, *_describe(console, options)]
        key = zlib.crc32("\0".join(origin).encode("utf-8", "surrogatepass"))
        path = self.folder / f"{key:08x}.json"
        drawn = _read(path, origin)
        if drawn is None:
            drawn = _record(origin, console.render(self.draw(), options))
            caches.write(path, msgspec.json.encode(drawn))
        styles = [Style.parse(style) for style in drawn.styles]
        return (Segment(text, styles[number]) for text, number in drawn.pieces)


def markdown_page(text: str, plain: bool, folder: Path) -> StoredPage:
    """Return a page of Markdown; a plain one is for screen readers."""

    def draw() -> RenderableType:
        from jaxtutor.display.markdown import make_page

        return make_page(text, plain)

    return StoredPage(f"{plain}\n{text}", folder, draw)


def _record(origin: list[str], segments: Iterable[Segment]) -> _Drawn:
    numbers: dict[str, int] = {}
    pieces = [
        (segment.text, numbers.setdefault(str(segment.style or "none"), len(numbers)))
        for segment in segments
    ]
    return _Drawn(origin, list(numbers), pieces)


def _describe(console: Console, options: ConsoleOptions) -> Iterator[str]:
    """Yield what decides how a page is drawn, apart from its text."""
    yield __version__
    yield from (str(_changed(name)) for name in DRAWING)
    yield from (str(console.get_style(name)) for name in COLOURED)
    coloured = bool(console.color_system) and not console.no_color
    yield f"{coloured} {options.max_width} {options.ascii_only} {options.legacy_windows}"


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
