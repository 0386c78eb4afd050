"""Makes the edits that are known for what was found in a file."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtutor.core.data.diagnoses import Edit
from jaxtutor.core.diagnosis.editing.draft import Patch, span_end
from jaxtutor.core.judging.syntax import find_syntax_error
from jaxtutor.core.linting.source_lint import LintedFile

Edits = tuple[Edit, ...]


def edited(text: str, linted: LintedFile, is_unsafe: bool) -> str:
    """Return the text with the edits that do not overlap; those that do can follow in a next pass.

    Without `is_unsafe`, these are the edits that cannot change what the program computes.
    """
    chosen: list[Edit] = []
    for edits in _known(linted, is_unsafe):
        new = [edit for edit in edits if edit not in chosen]  # such as the same import
        if not any(_overlap(edit, other) for edit in new for other in chosen):
            after = _apply(linted.file, [*chosen, *new], text)
            if find_syntax_error(after, linted.file) is None:
                chosen += new
    return _apply(linted.file, chosen, text)


def _known(linted: LintedFile, is_unsafe: bool) -> Iterator[Edits]:
    """Yield the edits of each mistake, and of each comment that allows nothing."""
    for found in linted.found:
        fix = found.fix
        if found.is_certain and fix is not None and (is_unsafe or fix.keeps_results):
            yield fix.replaced
    for unused in linted.unused:
        if unused.comment is not None:
            yield (Edit(unused.comment, ""),)


def _apply(file: str, edits: list[Edit], text: str) -> str:
    ordered = sorted(edits, key=lambda edit: (edit.span.line, edit.span.column))
    return Patch(file, tuple(ordered)).apply(text)


def _overlap(one: Edit, other: Edit) -> bool:
    """Return whether two edits touch the same text, or insert at the same place."""
    first, second = sorted((one.span, other.span), key=lambda span: (span.line, span.column))
    starts_there = (first.line, first.column) == (second.line, second.column)
    return starts_there or span_end(first) > (second.line, second.column)
