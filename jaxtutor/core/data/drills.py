"""Reads a page of drills: small broken programs of one cause, each written as a diff.

A drill is a heading with its name, a `diff` block, and a `text` block with what the fixed program
prints. The first column of a line of the diff says where the line belongs:

    ' '  both programs
    '-'  only the broken program
    '+'  only the fixed program
    '!'  only the broken program; the diagnosis points at this line
    '>'  both programs; the diagnosis points at this line
    '~'  both programs; another line whose change fixes the program, too
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

BROKEN, FIXED = " >~!-", " >~+"
"""The first columns of the lines of each program."""
LEVELS = (1, 2, 3)
"""1: the program raises where its mistake is. 2: it raises elsewhere, or has longer reasons to
follow. 3: it raises nothing."""

FixStatus = Literal[
    "right", "empty", "unchanged", "wrong", "mistaken", "uncompiled", "failed", "timed_out"
]
"""The result of a fix of a drill."""

_HEADER = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.DOTALL | re.MULTILINE)
_DRILL = re.compile(
    r"^## (\S+)\n\n```diff\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)


class DrillError(ValueError):
    """A page of drills that cannot be read."""


class Drill(Struct, frozen=True):
    """A broken program, and what it prints once it is fixed.

    `line` is the line of the broken program that its diagnosis points at; `lines` has it and every
    other line whose change fixes the program, counted from 1. The name does not reveal the cause.
    """

    name: str
    cause: str
    level: int
    broken: str
    fixed: str
    line: int
    lines: tuple[int, ...]
    expected: str

    @property
    def size(self) -> int:
        """The number of lines of the broken program."""
        return self.broken.count("\n")


def read_drills(cause: str, text: str) -> tuple[Drill, ...]:
    """Return the drills of a page. Raises DrillError."""
    header = _HEADER.match(text)
    if header is None:
        raise DrillError(f"{cause}: the page does not begin with a header between two +++ lines")
    level = tomllib.loads(header[1]).get("level")
    if level not in LEVELS:
        raise DrillError(f"{cause}: its level is not one of {LEVELS}")
    found = tuple(_drills(cause, level, text))
    if len(found) != len(re.findall(r"^## ", text, re.MULTILINE)):
        raise DrillError(f"{cause}: a heading is not followed by a diff")
    return found


def _drills(cause: str, level: int, text: str) -> Iterator[Drill]:
    for name, body, expected in _DRILL.findall(text):
        rows = body.splitlines()
        wrong = [row for row in rows if row[:1] not in ("", *BROKEN, *FIXED)]
        if wrong:
            raise DrillError(f"{cause}: {name}: the line {wrong[0]!r} has no known first column")
        kept = [row or " " for row in rows]
        broken = [row for row in kept if row[0] in BROKEN]
        marked = [n for n, row in enumerate(broken, 1) if row[0] in "!>"]
        if len(marked) != 1:
            raise DrillError(f"{cause}: {name}: {len(marked)} lines are marked with ! or >")
        yield Drill(
            name=name,
            cause=cause,
            level=level,
            broken=_join(broken),
            fixed=_join([row for row in kept if row[0] in FIXED]),
            line=marked[0],
            lines=tuple(
                n for n, row in enumerate(broken, 1) if row[0] in "!>~-" and row[1:].strip()
            ),
            expected=expected,
        )


def is_compiled(source: str) -> bool:
    """Return whether a program compiles a function: `jax.jit`, `eqx.filter_jit`, `nnx.jit`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    names = (
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name)
    )
    return any(name.endswith("jit") for name in names)


def _join(rows: list[str]) -> str:
    return "".join(row[1:].rstrip() + "\n" for row in rows)
