"""Writes a diagnosis as plain text and Markdown, for places that rich does not draw.

Each form has the same parts in the same order: what is wrong, what to do, where, where the value
came from, an edit that may help, and the name of the cause.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.reporting.lines import line_text

WIDTH = 80
"""Columns of the plain text. Code is never wrapped."""

AROUND = 1
"""Lines of source shown before and after the marked ones."""

NOT_TRIED = "Suggested edit, not tried:"
ORIGIN_TITLE = "Where the value came from:"


def as_text(found: Diagnosis, source: str, place: str, fix: str, title: str) -> str:
    """Return a diagnosis as plain text of 80 columns."""
    parts = [_wrapped(found.summary)]
    if found.advice:
        parts.append(_wrapped(found.advice))
    parts.append("\n".join([position(found, place), *_excerpt(found, source)]))
    if len(found.origin) > 1:
        parts.append("\n".join([ORIGIN_TITLE, *origin_rows(found)]))
    if fix:
        parts.append(fix_text(fix, title))
    if found.cause:
        parts.append(f"Cause: {found.cause} (jaxtutor explain {found.cause})")
    return visible("\n\n".join(parts))


def as_markdown(found: Diagnosis, source: str, place: str, fix: str, title: str) -> str:
    """Return a diagnosis as Markdown."""
    parts = [f"**{found.summary}**"]
    if found.advice:
        parts.append(found.advice)
    parts.append(f"{position(found, place)}\n{_fenced('python', _excerpt(found, source))}")
    if len(found.origin) > 1:
        parts.append(f"{ORIGIN_TITLE}\n{_fenced('', origin_rows(found))}")
    if fix:
        parts.append(f"{title}\n{_fenced('diff', fix.rstrip().splitlines())}")
    if found.cause:
        parts.append(f"Cause: `{found.cause}`")
    return visible("\n\n".join(parts)) + "\n"


def untried(try_with: str = "") -> str:
    """Return the title of an edit that was not tried. `try_with` is a command that tries it."""
    return f"Suggested edit, not tried (try it with {try_with}):" if try_with else NOT_TRIED


def fix_text(fix: str, title: str) -> str:
    """Return the part of the plain text that shows an edit."""
    return f"{title}\n{textwrap.indent(fix.rstrip(), '  ')}"


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH) for line in text.splitlines())


def position(found: Diagnosis, place: str) -> str:
    """Return the line that names the file and line of a diagnosis."""
    return f"{place}, line {found.span.line}:" if found.span else f"{place}:"


class ExcerptLine(NamedTuple):
    """A line of source with its number, and carets below what is marked in it."""

    number: int
    margin: str
    text: str
    carets: str = ""


def excerpt(source: str, span: Span | None) -> Iterator[ExcerptLine]:
    """Yield the lines around a span."""
    lines = split_lines(source)
    if span is None or not 0 < span.line <= len(lines):
        return
    first, last = max(span.line - AROUND, 1), min(span.end_line + AROUND, len(lines))
    width = len(str(last))
    for number in range(first, last + 1):
        text = lines[number - 1].rstrip()
        if not span.line <= number <= span.end_line:
            yield ExcerptLine(number, f"  {number:>{width}}  ", text)
            continue
        start = span.column if number == span.line else len(text) - len(text.lstrip())
        end = span.end_column if number == span.end_line else len(text)
        before, under = len(visible(text[:start])), len(visible(text[start:end]))
        carets = " " * (width + 4 + before) + "^" * max(under, 1)
        yield ExcerptLine(number, f"→ {number:>{width}}  ", text, carets)


def _excerpt(found: Diagnosis, source: str) -> Iterator[str]:
    for line in excerpt(source, found.span):
        yield f"{line.margin}{line.text}".rstrip()
        if line.carets:
            yield line.carets


def origin_rows(found: Diagnosis) -> Iterator[str]:
    """Yield a row for each step of how a value became a tracer."""
    steps = found.origin
    expressions = [step.expression for step in steps]
    widths = max(map(len, expressions)), max(len(step.aval) for step in steps)
    for index, step in enumerate(steps):
        notes = [line_text(step.span, step.file, found.file)] if step.span else []
        notes += ["argument"] if index == 0 else []
        row = f"{step.expression:<{widths[0]}}  {step.aval:<{widths[1]}}  {', '.join(notes)}"
        yield "  " + row.rstrip()


def _fenced(language: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}{language}\n{body}\n{fence}"
