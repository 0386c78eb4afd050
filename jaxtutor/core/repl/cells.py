"""Splits text into cells, and decides what Enter does while a cell is typed."""

from __future__ import annotations

import ast
import codeop
import re
from collections.abc import Iterator

from jaxtutor.core.data.lines import with_line_feeds

MARK = re.compile(r"^# ?%%.*$", re.M)
_CONTINUES = re.compile(r"(else|elif|except|finally)\b|[)\]}]")
_PROMPTS = re.compile(r"^(?:>>> ?|\.\.\. ?|In \[\d+\]: ?| +\.\.\.: ?)")
_ENDS_BLOCK = re.compile(r"\s*(return|pass|raise|break|continue)\b")
INDENT = 4


def is_complete(source: str) -> bool:
    """Return whether source can be run; a syntax error counts, so that running it reports it."""
    try:
        return codeop.compile_command(source, "<cell>", "exec") is not None
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return True


def is_broken(source: str) -> bool:
    """Return whether source has an error that no further input can repair."""
    try:
        codeop.compile_command(source, "<cell>", "exec")
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return True
    return False


# ---------------------------------------------------------------- Enter


def runs_on_enter(text: str, cursor: int) -> bool:
    """Return whether Enter runs the cell instead of starting a new line.

    A complete single line runs. With several lines, Enter at the end runs a complete cell if the
    last line is blank or not indented; otherwise its block may continue.
    """
    if text[cursor:].strip():
        return False
    if is_command(text):
        return True
    if not is_complete(text):
        return False
    before, several, last = text[:cursor].rpartition("\n")
    if not several or not before.strip():
        return not is_block(text)
    return not last.strip() or not last[:1].isspace()


def is_block(text: str) -> bool:
    """Return whether a single line opens a block and fills it: `for x in y: print(x)`."""
    return bool(re.match(r"\s*(for|while|if|with|def|class|try|async|match)\b.*:", text))


def indent_after(before: str) -> str:
    """Return the indentation of the next line, given the text before the cursor."""
    line = before.rpartition("\n")[2]
    present = len(line) - len(line.lstrip(" "))
    code = line.split("#")[0].rstrip()
    if code.endswith((":", "(", "[", "{")):
        return " " * (present + INDENT)
    if _ENDS_BLOCK.match(code) and present >= INDENT:
        return " " * (present - INDENT)
    return " " * present


def dedent_width(before: str) -> int:
    """Return how many characters Backspace deletes: one level of indentation, otherwise one."""
    line = before.rpartition("\n")[2]
    if not line or line.strip(" "):
        return 1
    return (len(line) - 1) % INDENT + 1


# ---------------------------------------------------------------- pasted text


def clean_paste(text: str) -> str:
    """Remove what comes with pasted text: prompts, tabs, common indentation."""
    lines = with_line_feeds(text).expandtabs(INDENT).split("\n")
    written = [line for line in lines if line.strip()]
    if written and _PROMPTS.match(written[0]):
        lines = [_PROMPTS.sub("", line) for line in lines if _PROMPTS.match(line)]
        written = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip(" ")) for line in written), default=0)
    return "\n".join(line[shared:] for line in lines)


# ---------------------------------------------------------------- splitting text


def is_command(text: str) -> bool:
    """Return whether a text is a command of the prompt, not Python."""
    stripped = text.strip()
    if "\n" in stripped:
        return False
    return stripped.startswith((":", "?")) or bool(re.fullmatch(r"[\w.]+\?\??", stripped))


def split_cells(text: str) -> Iterator[tuple[int, str]]:
    """Split a text into cells, each with its first line.

    It is split at `# %%` lines if there are any, otherwise between statements.
    """
    text = with_line_feeds(text.removeprefix("\ufeff"))
    lines = list(enumerate(text.split("\n"), 1))
    if MARK.search(text):
        for part in _split_marks(lines):
            yield from _split_commands(part)
        return
    for line, chunk in _split_commands(lines):
        yield from ((line, chunk),) if is_command(chunk) else _split_statements(line, chunk)


Lines = list[tuple[int, str]]


def _split_marks(lines: Lines) -> Iterator[Lines]:
    kept: Lines = []
    for number, line in lines:
        if MARK.match(line):
            yield kept
            kept = []
        else:
            kept.append((number, line))
    yield kept


def _split_commands(lines: Lines) -> Iterator[tuple[int, str]]:
    """Split at command lines, except inside brackets or strings."""
    kept: Lines = []
    for number, line in lines:
        if line.startswith((":", "?")) and is_complete(_join(kept)):
            yield from _whole(kept)
            kept = []
            yield number, line.strip()
        else:
            kept.append((number, line))
    yield from _whole(kept)


def _join(lines: Lines) -> str:
    return "\n".join(line for _, line in lines)


def _whole(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield lines as one cell, without blank lines around it; nothing if it has no code."""
    while lines and not lines[0][1].strip():
        lines = lines[1:]
    text = _join(lines).rstrip("\n ")
    if _has_code(text):
        yield lines[0][0], text


def _has_code(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _split_statements(first: int, text: str) -> Iterator[tuple[int, str]]:
    """Split between top-level statements."""
    lines = list(enumerate(text.split("\n"), first))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        yield from _split_roughly(lines)
        return
    start = 0
    for node in tree.body:
        end = node.end_lineno or node.lineno
        if end > start:  # `a = 1; b = 2` stays together
            yield from _whole(lines[start:end])
            start = end


def _split_roughly(lines: Lines) -> Iterator[tuple[int, str]]:
    """Split text with syntax errors where lines start without indentation."""
    kept: Lines = []
    for number, line in lines:
        begins = bool(line.strip()) and not line[0].isspace() and not _CONTINUES.match(line)
        if begins and _has_code(_join(kept)) and is_complete(_join(kept)):
            yield from _whole(kept)
            kept = []
        kept.append((number, line))
    yield from _whole(kept)
