"""Registers sources with `linecache`, so that tracebacks show the text that ran."""

from __future__ import annotations

import linecache

from jaxtutor.core.data.lines import whole_lines


def keep(file: str, source: str) -> None:
    """Register a source under its file's name, even if the file has changed since."""
    linecache.cache[file] = (len(source), None, whole_lines(source), file)
