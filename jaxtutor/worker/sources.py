"""Owns the sources that tracebacks show: the texts that ran, not what their files hold now."""

from __future__ import annotations

import linecache

from jaxtutor.core.data.lines import whole_lines


def keep(file: str, source: str) -> None:
    """Have `linecache` know a source by its file's name."""
    linecache.cache[file] = (len(source), None, whole_lines(source), file)
