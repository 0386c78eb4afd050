"""Finds the source text of code objects and frames; needs no jax."""

from __future__ import annotations

import linecache
from itertools import islice
from types import CodeType

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.source import Module, read_module


def span_at(code: CodeType, lasti: int) -> Span | None:
    """Return the span of the instruction at `lasti`, with columns in characters."""
    try:
        line, end_line, column, end_column = next(islice(code.co_positions(), lasti // 2, None))
    except StopIteration:
        return None
    if line is None:
        return None
    if end_line is None or column is None or end_column is None:
        return whole_line(code.co_filename, line)
    return Span(
        line,
        _characters(code.co_filename, line, column),
        end_line,
        _characters(code.co_filename, end_line, end_column),
    )


def whole_line(file: str, line: int) -> Span:
    """Return the span of a line's text without its indentation."""
    text = linecache.getline(file, line).rstrip("\r\n")
    return Span(line, len(text) - len(text.lstrip()), line, len(text))


def _characters(file: str, line: int, column: int) -> int:
    text = linecache.getline(file, line)
    return column if text.isascii() else len(text.encode()[:column].decode(errors="replace"))


def module_of(file: str) -> Module | None:
    """Parse a learner's file from linecache, or return None if it is unknown."""
    lines = linecache.getlines(file)
    return read_module(file, "".join(lines)) if lines else None
