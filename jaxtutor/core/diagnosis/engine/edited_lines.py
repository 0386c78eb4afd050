"""Shows in advice the line that an edit makes, with the learner's names."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from typing import TypeVar

from msgspec.structs import replace

from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.diagnosis.editing.draft import Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import Match

LINE = "line"
"""The form of a page that quotes the line."""
LONGEST = 72
"""Characters of a line that is quoted: it stands inside a sentence."""
AnyMatch = TypeVar("AnyMatch", bound=Match)


def with_line(
    recognise: Callable[[FailureContext], AnyMatch | None], fix: Callable[[AnyMatch], Drafts]
) -> Callable[[FailureContext], AnyMatch | None]:
    """Return a recogniser whose match has the line that the likeliest edit makes, if it is one."""

    def find(context: FailureContext) -> AnyMatch | None:
        match = recognise(context)
        if match is None or match.form:
            return match
        line = edited_line(fix(match))
        return replace(match, form=LINE, facts={**match.facts, "instead": line}) if line else match

    find.__doc__ = recognise.__doc__
    return find


def edited_line(drafts: Drafts) -> str:
    """Return the line that the first draft makes; empty if it makes several, or a long one."""
    draft = next((it for it in drafts if it is not None), None)
    patch = draft.patch() if draft is not None else None
    if draft is None or patch is None:
        return ""
    before = split_lines(draft.module.source)
    after = split_lines(patch.apply(draft.module.source))
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    made = [after[begin:end] for kind, _, _, begin, end in changes if kind == "replace"]
    lines = [line.strip() for block in made for line in block if not line.startswith("import ")]
    return lines[0] if len(lines) == 1 and len(lines[0]) <= LONGEST else ""
