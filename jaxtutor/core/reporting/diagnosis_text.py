"""Writes a diagnosis as plain text, Markdown and HTML, for places that rich does not draw.

Each form has the same parts in the same order: what is wrong, what to do, where, where the value
came from, an edit that may help, and the name of the cause.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence

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
    parts.append("\n".join([_position(found, place), *_excerpt(source, found.span)]))
    if len(found.origin) > 1:
        parts.append("\n".join([ORIGIN_TITLE, *_origin(found)]))
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
    parts.append(f"{_position(found, place)}\n{_fenced('python', _excerpt(source, found.span))}")
    if len(found.origin) > 1:
        parts.append(f"{ORIGIN_TITLE}\n{_fenced('', _origin(found))}")
    if fix:
        parts.append(f"{title}\n{_fenced('diff', fix.rstrip().splitlines())}")
    if found.cause:
        parts.append(f"Cause: `{found.cause}`")
    return visible("\n\n".join(parts)) + "\n"


def as_html(
    found: Diagnosis, source: str, place: str, fix: str = "", title: str = NOT_TRIED
) -> str:
    """Return a diagnosis as one HTML element, styled by the page that shows it."""
    parts = [f"<p><strong>{_inline(found.summary)}</strong></p>"]
    if found.advice:
        parts.append(f"<p>{_inline(found.advice)}</p>")
    parts.append(f"<p>{_inline(_position(found, place))}</p>")
    parts.append(_preformatted(_excerpt(source, found.span)))
    if len(found.origin) > 1:
        parts.append(f"<p>{ORIGIN_TITLE}</p>{_preformatted(_origin(found))}")
    if fix:
        parts.append(f"<p>{_inline(title)}</p>{_preformatted(fix.rstrip().splitlines())}")
    if found.cause:
        parts.append(f"<p>Cause: <code>{html.escape(found.cause)}</code></p>")
    return f'<div class="jaxtutor">{"".join(parts)}</div>'


def untried(try_with: str = "") -> str:
    """Return the title of an edit that was not tried. `try_with` is a command that tries it."""
    return f"Suggested edit, not tried (try it with {try_with}):" if try_with else NOT_TRIED


def fix_text(fix: str, title: str) -> str:
    """Return the part of the plain text that shows an edit."""
    return f"{title}\n{textwrap.indent(fix.rstrip(), '  ')}"


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH) for line in text.splitlines())


def _position(found: Diagnosis, place: str) -> str:
    return f"{place}, line {found.span.line}:" if found.span else f"{place}:"


def _excerpt(source: str, span: Span | None) -> Iterator[str]:
    """Yield the lines around a span, with carets below what is marked."""
    lines = split_lines(source)
    if span is None or not 0 < span.line <= len(lines):
        return
    first, last = max(span.line - AROUND, 1), min(span.end_line + AROUND, len(lines))
    width = len(str(last))
    for number in range(first, last + 1):
        text = lines[number - 1].rstrip("\r\n")
        marked = span.line <= number <= span.end_line
        yield f"{'→' if marked else ' '} {number:>{width}}  {text}".rstrip()
        if marked:
            start = span.column if number == span.line else len(text) - len(text.lstrip())
            end = span.end_column if number == span.end_line else len(text)
            before, under = len(visible(text[:start])), len(visible(text[start:end]))
            yield " " * (width + 4 + before) + "^" * max(under, 1)


def _origin(found: Diagnosis) -> Iterator[str]:
    steps = found.origin
    expressions = [step.expression for step in steps]
    widths = max(map(len, expressions)), max(len(step.aval) for step in steps)
    for index, step in enumerate(steps):
        notes = [line_text(step.span, step.file, found.file)] if step.span else []
        notes += ["argument"] if index == 0 else []
        row = f"{step.expression:<{widths[0]}}  {step.aval:<{widths[1]}}  {', '.join(notes)}"
        yield "  " + row.rstrip()


def _fenced(language: str, lines: Iterator[str] | Sequence[str]) -> str:
    body = "\n".join(lines)
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}{language}\n{body}\n{fence}"


def _preformatted(lines: Iterator[str] | Sequence[str]) -> str:
    return f"<pre>{html.escape(visible(chr(10).join(lines)))}</pre>"


def _inline(text: str) -> str:
    """Escape a sentence; what stands between backticks is code."""
    pieces = html.escape(visible(text)).split("`")
    return "".join(
        f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces)
    )
