"""Turns pasted text into plain lines: without colours, prefixes, boxes, quoting and markup."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from functools import reduce

from jaxtutor.core.data.lines import split_lines

FENCES = ("```", "~~~")
"""What the first and the last line of a block begin with in Markdown."""
END_OF_QUOTATION = "\f"
"""A line that stands behind a quotation."""


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text as Python, IPython or pytest wrote them."""
    lines = [line.rstrip() for line in split_lines(_COLOURS.sub("", _decoded(text)))]
    stages: tuple[Callable[[list[str]], list[str]], ...] = (
        _without_markup,
        _without_quoting,
        _without_prefixes,
        _without_boxes,
        _without_margin,
    )
    return reduce(lambda found, stage: stage(found), stages, lines)


_COLOURS = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|(?:\x1b|␛|\^\[)\[[0-9;?]*[ -/]*[@-~]"
    r"|\[\d{1,3}(?:;\d{1,3})*m"
)
"""Terminal sequences. Some logs have lost the escape character: `[0;31mTypeError[0m`."""

# ---------------------------------------------------------------- JSON and HTML


def _decoded(text: str) -> str:
    """Decode a text that is JSON: a notebook, a cell's copied output, a log of objects.

    >>> _decoded('{"stack": "Traceback (most recent call last):\\\\nTypeError: no"}')
    'Traceback (most recent call last):\\nTypeError: no'
    """
    whole = _from_json(text)
    if whole is not None:
        return whole
    if "{" in text:
        lines = split_lines(text)
        text = "\n".join(_from_json(line) or line for line in lines)
    return html.unescape(text) if _ENTITY.search(text) else text


_ENTITY = re.compile(r"&(?:[lg]t|quot|#39);")
_TRACEBACK = re.compile(r"Traceback \(most recent call last\)|-> ?\d+ ")


def _from_json(text: str) -> str | None:
    """Return the traceback in a JSON object; None for another text."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = list(_tracebacks(json.loads(text, strict=False)))
    except (ValueError, RecursionError):
        return None
    return found[-1] if found else None


def _tracebacks(value: object) -> Iterator[str]:
    if isinstance(value, str) and _TRACEBACK.search(value):
        yield _COLOURS.sub("", value)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _tracebacks(part)
    elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        yield from _tracebacks("\n".join(value))
    elif isinstance(value, list):
        for part in value:
            yield from _tracebacks(part)


# ---------------------------------------------------------------- Markdown and mail

_LINK = re.compile(r"\[([^\]\n]+)\]\((?:(?:https?|file|vscode[\w-]*):[^)\n]*)?\)(?!\()")
"""A place that Colab or VS Code made a link: `[<ipython-input-3-ab>](https://localhost:8080/#)`."""


def _without_markup(lines: list[str]) -> list[str]:
    """Write links as their text, and a single backtick, which is meant as a fence, as one."""
    return [FENCES[0] if line == "`" else _LINK.sub(r"\1", line) for line in lines]


_QUOTED = re.compile(r">(?: |$)")
FEWEST_QUOTED = 3
"""Lines that begin with `>` one after the other in a quotation. In pytest's reports one does."""


def _without_quoting(lines: list[str]) -> list[str]:
    """Take the `> ` of mails and issues away; mark where a quotation ends."""
    found: list[str] = []
    index = 0
    while index < len(lines):
        end = index
        while end < len(lines) and _QUOTED.match(lines[end]):
            end += 1
        if end - index >= FEWEST_QUOTED:
            found += [line[2:] for line in lines[index:end]] + [END_OF_QUOTATION]
            index = end
        else:
            found.append(lines[index])
            index += 1
    return found


# ---------------------------------------------------------------- prefixes

_STAMP = re.compile(r"^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z-]+\]?|\[rank\d+\]:?)\s?")
"""A time or a rank, which also stand before an exception without a traceback."""
_ANCHOR = re.compile(r'Traceback \(most recent call last\)|  File "[^"\n]+", line \d+')
_HEADER = re.compile(r"[\w.]+(?: {2,}|\t)|(?:\w+\.)*\w+(?:Error|Exception)\b.*")


def _without_prefixes(lines: list[str]) -> list[str]:
    """Remove what loggers and launchers put before each line: a time, a rank, a service.

    What stands before `Traceback` or before a frame is the prefix, up to its numbers:

    >>> _without_prefixes(["job-3  | Traceback (most recent call last):", "job-4  | TypeError"])
    ['Traceback (most recent call last):', 'TypeError']
    """
    before = {line[: found.start()] for line in lines if (found := _ANCHOR.search(line))}
    shapes = {_shape(p) for p in before if re.search(r"\w", p) and not _HEADER.fullmatch(p)}
    patterns = [re.compile(shape) for shape in sorted(shapes, key=len, reverse=True)]
    return [_cut(_STAMP.sub("", line, count=1), line, patterns) for line in lines]


def _shape(prefix: str) -> str:
    return re.sub(r"\d+", r"\\d+", re.escape(prefix.rstrip())) + " ?"


def _cut(stamped: str, line: str, patterns: list[re.Pattern[str]]) -> str:
    found = next((match for p in patterns if (match := p.match(line))), None)
    return line[found.end() :] if found is not None else stamped


# ---------------------------------------------------------------- boxes

_TOP = re.compile(r"^\s*(?:╭─+|\+-+|┌─+) ?Traceback \(most recent call last\).*$")
_BOTTOM = re.compile(r"^\s*(?:╰─|\+-|└─)")
_SIDE = re.compile(r"^\s*[│|] ?(.*?)\s*[│|]?$")
_BORDER = re.compile(r"^\s*[╭│╰┌└]")
"""What is left of a box within the box, with the values of names."""


def _without_boxes(lines: list[str]) -> list[str]:
    """Take the frame away that rich draws around a traceback, and undo its wrapping.

    >>> _without_boxes(["╭─ Traceback (most recent call last) ─╮", "│ a.py:3 in f │", "╰────╯"])
    ['Traceback (most recent call last):', 'a.py:3 in f', '']
    """
    found: list[str] = []
    width = 0
    is_inside = False
    for line in lines:
        if _TOP.match(line):
            is_inside, width = True, len(line)
            found.append("Traceback (most recent call last):")
        elif is_inside and _BOTTOM.match(line):
            is_inside = False
            found.append("")
        elif is_inside:
            inner = _SIDE.sub(r"\1", line)
            found += [] if _BORDER.match(inner) else _continued(found, inner)
        else:
            found.append(line)
    return unwrapped(found, width) if width else found


_HALF_PATH = re.compile(r"^(?:[/~]|[A-Za-z]:\\)(?!.*:\d+ in )")


def _continued(before: list[str], line: str) -> list[str]:
    """Return a line to add, or join it with a path before it that the box was too narrow for."""
    if before and line and _HALF_PATH.match(before[-1]):
        before[-1] += line
        return []
    return [line]


def unwrapped(lines: list[str], width: int) -> list[str]:
    """Join lines that were broken at a width: the next word would not have fitted.

    >>> unwrapped(["Abstract tracer value where", "concrete value is expected"], 30)
    ['Abstract tracer value where concrete value is expected']
    """
    found: list[str] = []
    last = 0  # the length of the last line as it was written
    for line in lines:
        word = line.split(" ", 1)[0]
        if found and _is_open(found[-1]) and word and last + 1 + len(word) > width >= last:
            found[-1] += f" {line}"
        else:
            found.append(line)
        last = len(line)
    return found


def _is_open(line: str) -> bool:
    return bool(line) and line[-1] not in ".:!?)" and not line.startswith((" ", "-", *FENCES))


# ---------------------------------------------------------------- pytest

_MARGIN = re.compile(r"^E( {3,}|$)")


def _without_margin(lines: list[str]) -> list[str]:
    """Remove the `E` that pytest puts before the lines of an exception, and their indentation.

    Pytest indents them as deeply as the statement that raised.

    >>> _without_margin([">       raise E(", "E           KeyError: 'a'", "E             b"])
    ['>       raise E(', "KeyError: 'a'", '  b']
    """
    found: list[str] = []
    width = 0  # of the margin before the first line of the exception
    for line in lines:
        margin = _MARGIN.match(line)
        if margin is None:
            width = 0
            found.append(line)
        else:
            width = width or (margin.end() if margin[1] else 0)
            found.append(line[min(width or 1, margin.end()) :])
    return found
