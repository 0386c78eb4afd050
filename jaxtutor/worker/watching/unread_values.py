"""Finds variables whose values no compiled program of a run reads.

A program shows which of its equations no result depends on, and JAX records which of the learner's
expressions each equation comes from. A variable is unread if all equations of the expression that
it is assigned are, in every program of the run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jaxtutor.core.data.observations import ValueUnread
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.liveness import Liveness, programs_in

MOST_PROGRAMS = 500  # in which a place is looked for; of a run with more, nothing is said
MOST_PLACES = 500
MOST_FOUND = 8
_OF_ONE_PLACE = frozenset(("scan", "while", "cond", "checkpoint", "remat", "remat2"))


class UnreadValues:
    """Collects the unread variables of the programs that a run calls."""

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self._unread: dict[Frame, str] = {}
        self._programs: list[tuple[Any, Liveness]] = []

    def forget(self) -> None:
        """Discard the programs."""
        self._unread.clear()
        self._programs.clear()

    def look(self, jaxpr: Any, liveness: Liveness) -> None:
        """Remember a program, and the variables that none of its results depends on."""
        if len(self._programs) > MOST_PROGRAMS:
            return
        self._programs.append((jaxpr, liveness))
        for equation in self._equations(jaxpr):
            if not liveness.is_read(equation) and len(self._unread) < MOST_PLACES:
                for frame in places.frames_of(equation.source_info, self._is_own):
                    name = "" if frame in self._unread else _assigned_name(frame)
                    if name:
                        self._unread[frame] = name

    def observations(self) -> Iterator[ValueUnread]:
        """Yield the variables that no program reads."""
        if not self._unread or len(self._programs) > MOST_PROGRAMS:
            return
        unread = dict(self._unread)
        for jaxpr, liveness in self._programs:
            for equation in filter(liveness.is_read, self._equations(jaxpr)):
                for frame in places.frames_of(equation.source_info, self._is_own):
                    unread.pop(frame, None)
        for frame, name in list(unread.items())[:MOST_FOUND]:
            yield ValueUnread(name, frame=frame)

    def _equations(self, jaxpr: Any) -> Iterator[Any]:
        """Yield the equations of a program, and of the learner's programs in it.

        JAX keeps the program of a function of its own with the place that called it first.
        """
        for equation in jaxpr.eqns:
            yield equation
            for inner in programs_in(equation):
                if equation.primitive.name in _OF_ONE_PLACE or self._is_learners(inner):
                    yield from self._equations(inner)

    def _is_learners(self, jaxpr: Any) -> bool:
        where = tracers.program_place(jaxpr)
        return where is not None and self._is_own(where[1])


def _assigned_name(place: Frame) -> str:
    """Return the variable that is assigned the whole value of an expression; empty if none is."""
    module = positions.module_of(place.file)
    node = module.node_at(place.span) if module is not None else None
    if module is None or node is None:
        return ""
    match node if isinstance(node, ast.AugAssign) else module.parents.get(node):
        case (
            ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.AugAssign(target=ast.Name(id=name))
        ):
            return name
    return ""
