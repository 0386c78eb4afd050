"""Finds effects in branches and loops that `vmap` runs for every example.

A mapped `cond` whose condition differs from example to example computes all branches and selects
afterwards, so an effect in one of them happens for every example. A mapped `while_loop` goes on
until the last example is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from jaxtutor.core.data.observations import EffectForAll
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.wide_values import Value

_SEEN_OUTSIDE = frozenset(("Debug", "OrderedDebug", "IO", "OrderedIO"))
"""Effects that a person or another program may notice, by what JAX calls them."""

CALLING_PYTHON = frozenset(("debug_callback", "debug_print", "io_callback"))
"""The operations that have such an effect."""


class _Branch(NamedTuple):
    """A branch: the code and the call that choose it, and the examples that it is meant for."""

    code: CodeType
    place: Frame
    meant: Any


class MappedBranches:
    """Follows the equations of one program, in order, from each condition to its branch.

    JAX traces a branch by itself, so its equations do not lead back to the function around it.
    """

    def __init__(self, is_own: IsOwn, note: Note) -> None:
        self._is_own = is_own
        self._note = note
        self._branches: list[_Branch] = []  # that an equation is in, outermost first

    def look(self, equation: Any, ins: Sequence[Value | None]) -> None:
        """Look at an equation and what it is given."""
        if equation.primitive.name != "eq" and not self._branches:
            return
        info = equation.source_info
        codes = places.own_codes(info, self._is_own)
        is_test = places.is_branch_test(info, self._is_own)
        if is_test and equation.primitive.name != "eq":
            return
        while any(branch.code in codes for branch in self._branches):
            self._branches.pop()
        place = places.place_of(equation, self._is_own)
        if is_test and place is not None:
            known = [value.narrow for value in ins if value is not None]
            meant = known[0] == known[1] if len(known) == 2 else True
            self._branches.append(_Branch(codes[0], place, meant))
        elif self._branches and has_visible_effect(equation):
            branch = self._branches[-1]
            note_effect(branch.meant, place or branch.place, self._note)

    def look_at_round(self, loop: Any, goes_on: Any) -> None:
        """Look at a round of a loop that may go on for some examples only."""
        if np.ndim(goes_on) and has_visible_effect(loop):
            body = loop.params["body_jaxpr"].jaxpr
            effect = next((e for e in body.eqns if has_visible_effect(e)), None)
            place = places.place_of(effect, self._is_own)
            if place is not None:
                note_effect(goes_on, place, self._note, is_loop=True)


def note_effect(meant: Any, place: Frame, note: Note, *, is_loop: bool = False) -> None:
    """Record an effect that happens for all examples, unless it is meant for all of them."""
    among, count = int(np.size(meant)), int(np.count_nonzero(meant))
    if count < among:
        note(EffectForAll(count, among, is_loop), place)


def has_visible_effect(equation: Any) -> bool:
    """Return whether an equation prints, or calls Python for an effect."""
    return not _SEEN_OUTSIDE.isdisjoint(map(str, equation.effects))
