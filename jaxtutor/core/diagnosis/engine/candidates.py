"""Orders the edited versions of one program that are worth running, the likeliest first.

A version that fails elsewhere is edited again: one program may have the same mistake twice. Nothing
is run here: the caller runs a version and offers what may fix it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Patch

MOST_EDITS = 4  # on top of each other
MOST_ATTEMPTS = 8


class EditedVersion(Struct, frozen=True):
    """A version of the learner's files, and how many edits lie between it and theirs.

    `certain` means that every one of these edits is certain, `data_bound` that one of them is right
    for some data only.
    """

    sources: Mapping[str, str]
    edits: int = 1
    certain: bool = False
    data_bound: bool = False


class CandidateQueue:
    """Hands out the versions of one program that are worth running."""

    def __init__(self) -> None:
        self._waiting: deque[EditedVersion] = deque()
        self._known: set[tuple[str, ...]] = set()
        self._taken = 0

    def offer(
        self,
        patches: Iterator[Patch],
        sources: Mapping[str, str],
        after: EditedVersion | None = None,
    ) -> None:
        """Add the versions that edits make of some sources, or of an attempt that failed."""
        edits = after.edits + 1 if after is not None else 1
        if edits > MOST_EDITS:
            return
        for patch in patches:
            changed = {**sources, patch.file: patch.apply(sources[patch.file])}
            key = tuple(changed.values())
            if key not in self._known:
                self._known.add(key)
                certain = patch.certain and (after is None or after.certain)
                bound = patch.data_bound or (after is not None and after.data_bound)
                self._waiting.append(EditedVersion(changed, edits, certain, bound))

    def take(self) -> EditedVersion | None:
        """Return the next version to run; None when no more are worth it."""
        if not self._waiting or self._taken >= MOST_ATTEMPTS:
            return None
        self._taken += 1
        return self._waiting.popleft()
