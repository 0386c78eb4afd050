"""Fixes files: makes the edits that are known, and writes what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from jaxtutor.core.linting.edits import edited
from jaxtutor.core.linting.source_lint import LintedFile
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace

MOST_PASSES = 10
Texts = Mapping[str, str]


def fixed(
    texts: Texts, lint: Callable[[Texts], Sequence[LintedFile]], is_unsafe: bool
) -> dict[str, str]:
    """Return the texts after all edits: one pass after another, until nothing changes.

    An edit may show another mistake, and edits that overlap are made in different passes.
    """
    after = dict(texts)
    for _ in range(MOST_PASSES):
        before = after
        after = {each.file: edited(before[each.file], each, is_unsafe) for each in lint(before)}
        if after == before:
            break
    return after


def write_files(before: Texts, after: Texts) -> tuple[list[str], dict[str, str]]:
    """Write the files that changed, each in its encoding; return them, and why others were not."""
    written: list[str] = []
    problems: dict[str, str] = {}
    for file, text in after.items():
        if text == before[file]:
            continue
        try:
            present = workspace.read_program(Path(file))
            if present.text == before[file]:
                workspace.write_atomically(Path(file), present.encode(text))
                written.append(file)
            elif present.text != text:  # else it was written under another name
                problems[file] = "It changed while it was read, so it was not fixed."
        except TutorError as error:
            problems[file] = error.message
    return written, problems
