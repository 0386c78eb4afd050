"""Writes a diagnosis as HTML, in the colours of the page that shows it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.reporting.diagnosis_text import (
    NOT_TRIED,
    ORIGIN_TITLE,
    excerpt,
    origin_rows,
    position,
)
from jaxtutor.core.reporting.python_tokens import Piece, pieces_by_line

_THEME = {
    "keyword": "--jp-mirror-editor-keyword-color",
    "string": "--jp-mirror-editor-string-color",
    "number": "--jp-mirror-editor-number-color",
    "comment": "--jp-mirror-editor-comment-color",
    "operator": "--jp-mirror-editor-operator-color",
    "mark": "--jp-error-color1",
    "added": "--jp-success-color1",
    "removed": "--jp-error-color1",
    "hunk": "--jp-content-font-color2",
}
"""The colours of JupyterLab's theme. A page that has none of them shows its own colour of text."""

_RULES = {
    "p": "margin: .5em 0",
    "details": "margin: .5em 0",
    "h1": "font-size: 1.1em; font-weight: bold",
    "h2": "font-size: 1em; font-weight: bold",
    "pre": "margin: .5em 0; overflow-x: auto; white-space: pre",
    "pre code": "white-space: pre",
    "summary": "cursor: pointer",
    **{f".{kind}": f"color: var({name})" for kind, name in _THEME.items()},
}
_OURS = ".jaxtutor.jaxtutor"  # twice, so that it counts more than the rules of JupyterLab

STYLE = "".join(["<style>", *(f"{_OURS} {a} {{ {b} }}" for a, b in _RULES.items()), "</style>"])
"""What a page needs once for the colours, and so that narrow windows scroll code."""


def as_html(
    found: Diagnosis,
    source: str,
    place: str,
    fix: str = "",
    title: str = NOT_TRIED,
    address: str | None = None,
    page: str = "",
) -> str:
    """Return a diagnosis as one HTML element, in the colours of `STYLE`.

    The name of the cause is a link to `address`; without one, it opens `page`, which is HTML.
    """
    parts = [f"<p><strong>{_inline(found.summary)}</strong></p>"]
    if found.advice:
        parts.append(f"<p>{_inline(found.advice)}</p>")
    parts.append(f"<p>{_inline(position(found, place))}</p>")
    parts.append(_preformatted(_code(found, source)))
    if len(found.origin) > 1:
        parts.append(f"<p>{ORIGIN_TITLE}</p>{_preformatted(map(_escaped, origin_rows(found)))}")
    if fix:
        parts.append(f"<p>{_inline(title)}</p>{_preformatted(_diff(fix))}")
    if found.cause:
        parts.append(_cause(found.cause, address, page))
    return f'<div class="jaxtutor">{"".join(parts)}</div>'


def _cause(slug: str, address: str | None, page: str) -> str:
    name = f"<code>{_escaped(slug)}</code>"
    if address is not None:
        link = f'<a href="{html.escape(address)}" target="_blank" rel="noopener">{name}</a>'
        return f"<p>Cause: {link}</p>"
    if page:
        return f"<details><summary>Cause: {name}</summary>{page}</details>"
    return f"<p>Cause: {name}</p>"


def _code(found: Diagnosis, source: str) -> Iterator[str]:
    """Yield the lines around the place as HTML, with carets below what is marked."""
    pieces = pieces_by_line(source)
    for row in excerpt(source, found.span):
        yield _escaped(row.margin) + _coloured(row.text, pieces.get(row.number, ()))
        if row.carets:
            yield _span("mark", row.carets)


def _coloured(text: str, pieces: Sequence[Piece]) -> str:
    done, parts = 0, []
    for start, end, kind in pieces:
        parts += [_escaped(text[done:start]), _span(kind, text[start:end])]
        done = end
    return "".join([*parts, _escaped(text[done:])])


def _diff(fix: str) -> Iterator[str]:
    kinds = {"+": "added", "-": "removed", "@": "hunk"}
    for number, line in enumerate(fix.rstrip().splitlines()):
        kind = "hunk" if number < 2 else kinds.get(line[:1])
        yield _span(kind, line) if kind else _escaped(line)


def _span(kind: str, text: str) -> str:
    return f'<span class="{kind}">{_escaped(text)}</span>' if text.strip() else _escaped(text)


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _preformatted(lines: Iterable[str]) -> str:
    return f"<pre>{chr(10).join(lines)}</pre>"


def _inline(text: str) -> str:
    """Escape a sentence; what stands between backticks is code."""
    pieces = _escaped(text).split("`")
    return "".join(
        f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces)
    )
