"""Converts diagnoses, fixes and verdicts to the types of the Language Server Protocol.

The protocol counts lines from 0, and columns in UTF-16 code units.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy
from difflib import SequenceMatcher
from typing import TypeGuard

from lsprotocol import types as lsp

from jaxtutor.core.addresses import page_address
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.lines import split_lines, whole_lines
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.data.verdicts import Verdict

SOURCE = "jaxtutor"


def diagnostic(found: Diagnosis, source: str) -> lsp.Diagnostic:
    """Return the diagnostic of a diagnosis (an error) or a finding (a warning)."""
    is_error = found.error_class is not None
    return lsp.Diagnostic(
        range=span_range(found.span, source),
        message=visible("\n\n".join(filter(None, (found.summary, found.advice)))),
        severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
        code=found.cause,
        code_description=_description(found.cause),
        source=SOURCE,
    )


def _description(cause: str | None) -> lsp.CodeDescription | None:
    """Return the address of a cause's page, if there is a site; editors make the code a link."""
    address = page_address(cause) if cause is not None else None
    return lsp.CodeDescription(href=address) if address is not None else None


def headline_diagnostic(verdict: Verdict, function: str, source: str) -> lsp.Diagnostic:
    """Return the diagnostic of a verdict that has no diagnosis, at the lesson's function."""
    sentences = [verdict.headline, verdict.misconception, verdict.relation, verdict.hint]
    return lsp.Diagnostic(
        range=line_range(function_line(function, source), source),
        message=visible("\n\n".join(filter(None, sentences))),
        severity=lsp.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def span_range(span: Span | None, source: str) -> lsp.Range:
    """Return a span as a range; the first line if there is none."""
    if span is None:
        return line_range(1, source)
    lines = split_lines(source)
    return lsp.Range(
        start=_position(lines, span.line, span.column),
        end=_position(lines, span.end_line, span.end_column),
    )


def line_range(line: int, source: str) -> lsp.Range:
    """Return the text of a line, without its indentation and its end."""
    lines = split_lines(source)
    text = _text(lines, line)
    indent = len(text) - len(text.lstrip())
    return lsp.Range(start=_position(lines, line, indent), end=_position(lines, line, len(text)))


def _position(lines: Sequence[str], line: int, column: int) -> lsp.Position:
    units = len(_text(lines, line)[:column].encode("utf-16-le", "surrogatepass")) // 2
    return lsp.Position(line=max(line - 1, 0), character=units)


def byte_position(lines: Sequence[str], line: int, offset: int) -> lsp.Position:
    """Return a position that is given by a line and an offset in UTF-8, as Python's parser does."""
    before = _text(lines, line).encode("utf-8", "surrogatepass")[:offset]
    return _position(lines, line, len(before.decode("utf-8", "surrogatepass")))


def moved(found: Sequence[lsp.Diagnostic], before: str, after: str) -> Sequence[lsp.Diagnostic]:
    """Return diagnostics of a text where an edit has moved them, without those in edited lines."""
    if before == after or not found:
        return found
    old, new = split_lines(before), split_lines(after)
    first = _common(old, new)
    last = len(old) - _common(old[first:][::-1], new[first:][::-1])
    shift = len(new) - len(old)
    return [
        *(item for item in found if item.range.end.line < first),
        *(_shifted(item, shift) for item in found if item.range.start.line >= last),
    ]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Count the lines that two texts have in common at their beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(old), len(new)))


def _shifted(item: lsp.Diagnostic, lines: int) -> lsp.Diagnostic:
    start, end = item.range.start, item.range.end
    region = lsp.Range(
        start=lsp.Position(start.line + lines, start.character),
        end=lsp.Position(end.line + lines, end.character),
    )
    shifted = copy(item)
    shifted.range = region
    return shifted


def _text(lines: Sequence[str], line: int) -> str:
    return lines[line - 1].rstrip("\r\n") if 0 < line <= len(lines) else ""


def function_line(name: str, source: str) -> int:
    """Return the line on which a function is defined, or 1."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 1
    found = (node.lineno for node in tree.body if getattr(node, "name", "") == name)
    return next(found, 1)


def is_program(source: str) -> bool:
    """Return whether a file is meant to be run: it has `if __name__ == "__main__"`."""
    try:
        return any(map(is_main_part, ast.parse(source).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def is_main_part(node: ast.stmt) -> TypeGuard[ast.If]:
    """Return whether a statement is `if __name__ == "__main__"`."""
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def edits(before: str, after: str) -> list[lsp.TextEdit]:
    """Return edits of whole lines that turn one text into another."""
    old, new = whole_lines(before), whole_lines(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        lsp.TextEdit(
            range=lsp.Range(start=lsp.Position(first, 0), end=lsp.Position(last, 0)),
            new_text="".join(new[start:end]),
        )
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]


def contains(region: lsp.Range, position: lsp.Position) -> bool:
    """Return whether a position lies in a region or at its end."""
    place = position.line, position.character
    return (
        (region.start.line, region.start.character)
        <= place
        <= (
            region.end.line,
            region.end.character,
        )
    )
