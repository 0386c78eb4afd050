"""Defines what of a run was looked at, so that a verdict does not promise more."""

from __future__ import annotations

from msgspec import Struct


class Coverage(Struct, frozen=True):
    """What of a run was followed, operation by operation, and what was not.

    `functions` are compiled functions of the learner's, `operations` those that were evaluated
    once more, and `widened` those of them that were also computed in 64 bits. `keys` are random
    keys that were drawn from. `left_out` names what was not followed, and how often.
    """

    functions: int = 0
    operations: int = 0
    widened: int = 0
    keys: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
