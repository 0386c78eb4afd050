"""Reads the code cells of a Jupyter notebook as one Python source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct


class NotebookError(ValueError):
    """A file that is not a notebook; the message says why."""


class _Cell(Struct):
    cell_type: str
    source: str | list[str] = ""
    metadata: Any = None

    @property
    def may_raise(self) -> bool:
        """Whether the cell has the tag of those that are meant to raise."""
        tags = self.metadata.get("tags") if isinstance(self.metadata, dict) else None
        return isinstance(tags, list) and RAISES in tags


class _Notebook(Struct):
    cells: list[_Cell]
    nbformat: int = 4


class Notebook(Struct, frozen=True):
    """The code cells of a notebook, one after another, as one source.

    `starts` are the lines at which the cells begin, and `numbers` their numbers, counted over the
    code cells. `skipped` are the lines that are not Python, such as `%matplotlib inline`: they are
    not run. `may_raise` are the lines at which cells begin that are meant to raise: the next cell
    runs all the same.
    """

    source: str
    starts: tuple[int, ...]
    numbers: tuple[int, ...]
    skipped: tuple[str, ...] = ()
    may_raise: tuple[int, ...] = ()

    def locate(self, line: int) -> tuple[int, int]:
        """Return the number of the cell that holds a line of the source, and the line in it."""
        index = max((n for n, start in enumerate(self.starts) if start <= line), default=0)
        return self.numbers[index], line - self.starts[index] + 1


RAISES = "raises-exception"
"""The tag of a cell that is meant to raise, for Jupyter's own tools."""

_MAGIC = re.compile(r"^(\s*)((?:%|!|\?)[^\n]*|[\w.\[\]]+\?\??)\s*$")
_ASSIGNED = re.compile(r"^(\s*)(\w[\w, ]*=\s*)([%!][^\n]*)$")  # no two parts match a space first
_RUN_MAGICS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun", "%%diagnose"})
"""Magics of a whole cell that run its Python."""


def read_notebook(data: bytes, most: int | None = None) -> Notebook:
    """Read a notebook in the format of Jupyter, version 4. Raises NotebookError.

    `most` is the largest size of its code, in bytes.
    """
    try:
        read = msgspec.json.decode(data, type=_Notebook)
    except msgspec.ValidationError as error:
        raise NotebookError(f"It is JSON, but not a notebook of version 4: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotebookError(f"It is not valid JSON: {error}.") from None
    except RecursionError:
        raise NotebookError("It is not a notebook: its JSON is nested too deeply.") from None
    if read.nbformat < 4:
        raise NotebookError(f"It has version {read.nbformat} of the format; version 4 is read.")
    texts: list[str] = []
    starts: list[int] = []
    numbers: list[int] = []
    skipped: list[str] = []
    may_raise: list[int] = []
    line, size = 1, 0
    codes = (cell for cell in read.cells if cell.cell_type == "code")
    for number, cell in enumerate(codes, 1):
        source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
        if not source.strip():
            continue
        _require_size(size + len(source), most)  # before a large text is taken apart
        lines = list(python_lines(source, skipped))
        size += sum(len(line.encode()) for line in lines)
        _require_size(size, most)
        starts.append(line)
        may_raise += [line] * cell.may_raise
        numbers.append(number)
        texts += lines
        line += len(lines)
    return Notebook("".join(texts), tuple(starts), tuple(numbers), tuple(skipped), tuple(may_raise))


def _require_size(size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise NotebookError(f"Its code is larger than {most >> 10:,} KiB.")


def python_lines(source: str, skipped: list[str]) -> Iterator[str]:
    """Yield the lines of a cell; what is not Python becomes a comment, or a statement without it.

    Form feeds and other separators stay inside their line, as in Python.
    """
    lines = source.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    first = next((line for line in lines if line.strip()), "").split()
    is_foreign = bool(first) and first[0].startswith("%%") and first[0] not in _RUN_MAGICS
    for line in lines:
        if is_foreign or line.startswith("%%"):
            if line.startswith("%%"):
                skipped.append(line.strip())
            yield f"# {line}\n"
        elif found := _MAGIC.match(line):
            skipped.append(line.strip())
            yield f"{found[1]}pass  # {found[2]}\n"
        elif found := _ASSIGNED.match(line):
            skipped.append(line.strip())
            yield f"{found[1]}{found[2]}[]  # {found[3]}\n"
        else:
            yield f"{line}\n"
