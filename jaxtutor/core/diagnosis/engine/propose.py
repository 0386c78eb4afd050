"""Proposes the edits that may fix a mistake, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from jaxtutor.core.data.diagnoses import Edit
from jaxtutor.core.diagnosis.editing.draft import Patch, show_diff
from jaxtutor.core.diagnosis.engine.guard import guarded_each
from jaxtutor.core.diagnosis.engine.registry import FIXED
from jaxtutor.core.diagnosis.engine.rules import Diagnosed

__all__ = ["FIXED", "MOST", "Edit", "Patch", "propose", "show_diff"]

MOST = 3  # edits proposed for one diagnosis


def propose(diagnosed: Diagnosed) -> Iterator[Patch]:
    """Propose edits that may fix a mistake, the likeliest first; none where no edit is known.

    Each edit leaves Python that parses; whether it fixes the program is decided by running it.
    """
    return islice(_patches(diagnosed), MOST)


def _patches(diagnosed: Diagnosed) -> Iterator[Patch]:
    rule, match = diagnosed.rule, diagnosed.match
    if rule is None or rule.fix is None or match is None:
        return
    seen: set[Patch] = set()
    for draft in guarded_each(rule.slug, partial(rule.fix, match)):
        patch = draft.patch() if draft is not None else None
        if patch is not None and patch not in seen:
            seen.add(patch)
            yield patch
