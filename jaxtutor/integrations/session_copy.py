"""Tries an edit in a copy of a notebook's session: its cells, run again in another process."""

from __future__ import annotations

import ast
import inspect
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jaxtutor.core.data.lines import unified
from jaxtutor.core.data.notebooks import python_lines
from jaxtutor.integrations.trials import NOT_REPEATED, patched, title, try_edit

_ASYNC = re.compile(r"\b(await|async)\b")
_MARK = re.compile(r"^# In \[(\d+)\]\n", re.M)


@dataclass(frozen=True)
class Result:
    """What a trial found, the edit as a diff, and the whole source of the cells that it changes."""

    words: str
    diff: str = ""
    source: str = ""

    @property
    def text(self) -> str:
        """The result as plain text."""
        return "\n".join(filter(None, (self.words, self.diff.rstrip())))

    @property
    def markdown(self) -> str:
        """The result as Markdown."""
        diff = f"```diff\n{self.diff.rstrip()}\n```" if self.diff else ""
        return "\n\n".join(filter(None, (self.words, diff)))


def try_fix(cause: str, cells: Mapping[int, str]) -> Result:
    """Run cells, given by their numbers, in another process, and try the edits for `cause`.

    The last cell must raise it again. Magics and shell commands are left out.
    """
    skipped: list[str] = []
    script = "".join(_numbered(cells, skipped))
    with tempfile.TemporaryDirectory(prefix="jaxtutor-") as folder:
        file = Path(folder, "cells.py")
        file.write_text(script, encoding="utf-8")
        trial = try_edit(cause, [str(file)], Path.cwd())
        fixed = patched(script, str(file), trial.fix)
    if trial.status == "not tried":
        without = f" It ran without {skipped[0]!r}." if skipped else ""
        return Result(f"{NOT_REPEATED.format(program='the cells')}{without}")
    words = title(trial, "the cells of this session run in another process")
    changed = dict(_changes(_split(script), _split(fixed)))
    if trial.fix and not changed:  # the edit is in a module that the cells import
        return Result(words, trial.fix)
    diffs = (unified(old, new, (f"In [{number}]",) * 2) for number, (old, new) in changed.items())
    return Result(words, "".join(diffs), "\n".join(new for _, new in changed.values()))


def _numbered(cells: Mapping[int, str], skipped: list[str]) -> Iterator[str]:
    """Yield the cells as Python, each after a comment with its number.

    Cells that await are left out: a program cannot do so outside a function.
    """
    for number, source in cells.items():
        yield f"# In [{number}]\n"
        lines = list(python_lines(source, skipped))
        if _awaits("".join(lines)):
            skipped.append(next(line.strip() for line in lines if _ASYNC.search(line)))
        else:
            yield from lines


def _awaits(source: str) -> bool:
    """Return whether a cell awaits outside a function."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with suppress(SyntaxError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were shown when the cell ran
        code = compile(source, "<cell>", "exec", flags, dont_inherit=True)
        return bool(code.co_flags & inspect.CO_COROUTINE)
    return False


def _split(script: str) -> Mapping[int, str]:
    _, *parts = _MARK.split(script)
    return dict(zip(map(int, parts[::2]), parts[1::2], strict=True))


def _changes(
    before: Mapping[int, str], after: Mapping[int, str]
) -> Iterator[tuple[int, tuple[str, str]]]:
    for number, text in before.items():
        if after.get(number, text) != text:
            yield number, (text, after[number])
