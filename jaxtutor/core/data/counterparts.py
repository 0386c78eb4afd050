"""Defines the rows of the table of what JAX has for expressions of NumPy and PyTorch."""

from __future__ import annotations

import re

from msgspec import Struct

VARIABLE = re.compile(r"\$(\w+)")


class Equivalent(Struct, frozen=True):
    """Expressions of another library, and what JAX has for them.

    `$x` stands for any expression, and `...` for the other arguments of the call.
    """

    typed: tuple[str, ...]
    jax: str
    says: str = ""
    lesson: str = ""


class Group(Struct, frozen=True):
    """The rows about one subject, for people who come from one library."""

    library: str
    title: str
    row: tuple[Equivalent, ...]


def plain_code(code: str) -> str:
    """Write the code of a row for reading, with names in place of its variables."""
    return VARIABLE.sub(r"\1", code)
