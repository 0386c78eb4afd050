"""Reads from a fix which line it changes: the line at fault can be another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.lines import diff_lines


class ChangedLine(Struct, frozen=True):
    """A line that an edit changes, as it was, or after which the edit inserts another."""

    file: str
    line: int
    text: str


def change_elsewhere(diagnosis: Diagnosis) -> ChangedLine | None:
    """Return the first line that a fix changes, if none of its lines is in the place shown.

    A setting belongs where a function is compiled, and a mistake in it shows in a call.
    """
    fix, span = diagnosis.fix, diagnosis.span
    changed = list(changes(fix.diff)) if fix is not None else []
    if span is None or any(
        it.file == diagnosis.file and span.line <= it.line <= span.end_line for it in changed
    ):
        return None
    return changed[0] if changed else None


def changes(diff: str) -> Iterator[ChangedLine]:
    """Yield the lines that a unified diff changes; imports that it only adds are left out.

    >>> diff = "--- a.py\\n+++ a.py\\n@@ -4,2 +4,2 @@\\n-@jit\\n+@jit_static\\n def f(x):\\n"
    >>> list(changes(diff))
    [ChangedLine(file='a.py', line=4, text='@jit')]
    """
    file, line, before, is_in_change = "", 0, "", False
    for text in (line.rstrip("\r\n") for line in diff_lines(diff)):
        head = _HUNK.match(text)
        if head is not None:
            line, before, is_in_change = int(head[1]), "", False
        elif text.startswith("--- "):
            file, line = text[4:], 0
        elif not line or text.startswith("+++ "):
            continue
        elif text.startswith("-"):
            is_in_change = True
            yield ChangedLine(file, line, text[1:].strip())
            line += 1
        elif text.startswith("+"):
            if not is_in_change and not _IMPORT.match(text) and text[1:].strip():
                is_in_change = True  # one change for all lines that are inserted together
                yield ChangedLine(file, max(line - 1, 1), before)
        else:
            before, is_in_change = text[1:].strip(), False
            line += 1


_HUNK = re.compile(r"@@ -(\d+)")
_IMPORT = re.compile(r"\+(?:import|from) ")
