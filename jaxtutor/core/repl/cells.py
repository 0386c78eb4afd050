"""Owns the cutting of text into cells, and what Enter does while one is being written."""

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
    """Tell whether source can be run as it is; what is wrong in itself can: it says so."""
    try:
        return codeop.compile_command(source, "<cell>", "exec") is not None
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return True


def is_broken(source: str) -> bool:
    """Tell whether source cannot become right by going on."""
    try:
        codeop.compile_command(source, "<cell>", "exec")
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return True
    return False


# ---------------------------------------------------------------- Enter


def runs_on_enter(text: str, cursor: int) -> bool:
    """Tell whether Enter runs the cell rather than begins a new line.

    One line that is complete runs. Of several, Enter at the end runs what is complete, if the last
    line is blank or begins at the margin: a block may go on.
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
    """Tell whether one line opens a block and fills it: `for x in y: print(x)`."""
    return bool(re.match(r"\s*(for|while|if|with|def|class|try|async|match)\b.*:", text))


def indent_after(before: str) -> str:
    """Give the spaces that the next line begins with, after the text before the cursor."""
    line = before.rpartition("\n")[2]
    present = len(line) - len(line.lstrip(" "))
    code = line.split("#")[0].rstrip()
    if code.endswith((":", "(", "[", "{")):
        return " " * (present + INDENT)
    if _ENDS_BLOCK.match(code) and present >= INDENT:
        return " " * (present - INDENT)
    return " " * present


def dedent_width(before: str) -> int:
    """Return how many characters Backspace takes: a whole step where only spaces stand before."""
    line = before.rpartition("\n")[2]
    if not line or line.strip(" "):
        return 1
    return (len(line) - 1) % INDENT + 1


# ---------------------------------------------------------------- what was pasted


def clean_paste(text: str) -> str:
    """Take away what a paste brings along: other prompts' marks, tabs, a common indentation."""
    lines = with_line_feeds(text).expandtabs(INDENT).split("\n")
    written = [line for line in lines if line.strip()]
    if written and _PROMPTS.match(written[0]):
        lines = [_PROMPTS.sub("", line) for line in lines if _PROMPTS.match(line)]
        written = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip(" ")) for line in written), default=0)
    return "\n".join(line[shared:] for line in lines)


# ---------------------------------------------------------------- a whole text


def is_command(text: str) -> bool:
    """Tell a command of the tutor's from Python."""
    stripped = text.strip()
    if "\n" in stripped:
        return False
    return stripped.startswith((":", "?")) or bool(re.fullmatch(r"[\w.]+\?\??", stripped))


def split_cells(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text into cells, each with the line that it begins at.

    It is cut at `# %%` lines if it has some, else statement by statement.
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
    """Cut at the lines that are commands; such a line inside brackets or a string is none."""
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
    """Give lines as one cell, without the empty ones around it; nothing if that is all."""
    while lines and not lines[0][1].strip():
        lines = lines[1:]
    text = _join(lines).rstrip("\n ")
    if _says_something(text):
        yield lines[0][0], text


def _says_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _split_statements(first: int, text: str) -> Iterator[tuple[int, str]]:
    """Cut between statements at the margin."""
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
    """Cut text that is not all Python where lines begin at the margin."""
    kept: Lines = []
    for number, line in lines:
        begins = bool(line.strip()) and not line[0].isspace() and not _CONTINUES.match(line)
        if begins and _says_something(_join(kept)) and is_complete(_join(kept)):
            yield from _whole(kept)
            kept = []
        kept.append((number, line))
    yield from _whole(kept)
