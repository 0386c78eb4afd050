"""Defines places in source text.

Lines count from 1. Columns count characters from 0, as `ast` does for ASCII source, and
`end_column` is exclusive.
"""

from __future__ import annotations

from msgspec import Struct


class Span(Struct, frozen=True):
    """A range of source text."""

    line: int
    column: int
    end_line: int
    end_column: int


class Frame(Struct, frozen=True):
    """One level of a traceback, in a file of the learner's.

    `span` is the exact expression that was being evaluated, or the whole line if Python does not
    record the expression.
    """

    file: str
    function: str
    span: Span
