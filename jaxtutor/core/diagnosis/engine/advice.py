"""Writes the sentences of a page for a match: with a line to write, where one is known."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import partial
from typing import Any

from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.guard import guarded_each
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.pages import COUNTERPART, Cause
from jaxtutor.core.diagnosis.engine.rules import Rule

LONGEST = 88
"""Characters of a line that is quoted: it stands inside a sentence."""
_IMPORT = ("import ", "from ")
_COMMENT = re.compile(r"  # [^'\"]*$")


def choose_form(
    cause: Cause | None, match: Match, frame: FrameContext | None, node: ast.AST | None
) -> tuple[str, Mapping[str, str]]:
    """Return the form of a page that fits a match, and the facts that only this form needs.

    A form that the recogniser named is kept.
    """
    if cause is None or match.form or COUNTERPART not in cause.forms:
        return match.form, {}
    # Few failures need the table, and what reads it takes a tenth of the time of all imports.
    from jaxtutor.core.diagnosis.engine.counterparts import describe_counterpart

    found = describe_counterpart(cause, frame, node)
    return (COUNTERPART, found) if found else ("", {})


def line_to_write(cause: Cause | None, rule: Rule[Any] | None, match: Match, near: int) -> str:
    """Return the sentence with the line that the likeliest edit makes, before further advice.

    Empty if the page wants none, or the edit makes several lines, or a long one. A line elsewhere
    than the place of the mistake, `near`, is named, and so are several lines that it replaces.
    """
    if cause is None or not cause.line or rule is None or rule.fix is None:
        return ""
    drafts = guarded_each(rule.slug, partial(rule.fix, match))
    draft = next((it for it in drafts if it is not None), None)
    changes = list(_changes(draft)) if draft is not None else []
    if len(changes) != 1:
        return ""
    replaced, written = changes[0]
    if not replaced or len(written) != 1 or len(written[0]) > LONGEST:
        return ""
    first, last, text = replaced[0], replaced[-1], written[0]
    if first != last:
        return f"Write `{text}` in place of lines {first} to {last}. "
    return f"Write `{text}`. " if first == near else f"Write line {first} as `{text}`. "


def _changes(draft: Draft) -> Iterator[tuple[range, list[str]]]:
    """Yield the numbers of the lines that an edit replaces, and the lines that it writes there.

    Indents and comments are left out, and so are imports, which are at the top.
    """
    patch = draft.patch()
    before = split_lines(draft.module.source)
    after = split_lines(patch.apply(draft.module.source)) if patch is not None else before
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for kind, old, end, begin, until in changes:
        written = [_COMMENT.sub("", line.strip()) for line in after[begin:until]]
        written = [line for line in written if line and not line.startswith(_IMPORT)]
        is_import = all(line.startswith(_IMPORT) or not line.strip() for line in before[old:end])
        if kind != "equal" and (written or not is_import):
            yield range(old + 1, end + 1), written
