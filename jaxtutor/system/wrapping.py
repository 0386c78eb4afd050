"""Breaks the lines of messages on standard error, without rich: a shell's completion blocks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

NARROWEST = 20
"""Columns. A narrower terminal would break every word."""


def wrap(text: str, file: TextIO, environ: Mapping[str, str]) -> str:
    """Break lines between words on a terminal; elsewhere keep them whole."""
    columns = environ.get("COLUMNS", "")
    if not file.isatty() and not columns.isdigit():
        return text
    import shutil  # with the compression libraries that it imports: 3 ms of each command
    import textwrap

    width = max(shutil.get_terminal_size().columns, NARROWEST)
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    lines = map(wrapper.fill, text.split("\n"))
    return "\n".join(lines)
