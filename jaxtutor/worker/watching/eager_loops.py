"""Counts how often JAX compiles the same loop or branches for one call, for new functions."""

from __future__ import annotations

import operator
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from jaxtutor.core.data.observations import LoopCompiledAgain, Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.recompilations import form_of
from jaxtutor.worker.watching.recorder import Recorder

LEAST_TIMES = 4  # that a loop was compiled; fewer may be a few settings
MOST_PLACES = 100
MOST_KEPT = 8  # programs of one loop, by which one that is kept by its caller is known

_BODIES = {"scan": "jaxpr", "while": "body_jaxpr", "cond": "branches"}
LOOPS = frozenset(("scan", "while"))
COMPILED_BY_FUNCTION = frozenset(_BODIES)
"""Operations that JAX compiles by themselves, and finds again by the functions they are given."""

_Bodies = tuple[Any, ...]
"""The program of a loop's body, or those of the branches."""
_Form = tuple[str, tuple[int, ...]]


class _Programs:
    """The programs of one form that a loop at one place ran."""

    def __init__(self) -> None:
        self.times = 0
        self.last: list[_Bodies] = []  # held, so that an equal identity is the same program

    def knows(self, bodies: _Bodies) -> bool:
        """Return whether JAX has these programs already: the same ones, not equal ones."""
        return any(all(map(operator.is_, bodies, known)) for known in self.last)

    def add(self, bodies: _Bodies) -> None:
        self.times += 1
        self.last = [*self.last[1 - MOST_KEPT :], bodies]


class EagerLoops:
    """Collects the loops and branches that run outside of compiled programs.

    JAX keeps the program of such a loop by its function objects. So a function that is defined
    again in each call makes it trace and compile each time.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._loops: defaultdict[Frame, dict[_Form, _Programs]] = defaultdict(dict)

    def note(self, name: str, params: Any) -> None:
        """Record a loop, or branches, about to run."""
        place = self._recorder.place_of(sys._getframe(1))
        if place is None or (place not in self._loops and len(self._loops) >= MOST_PLACES):
            return
        held = params[_BODIES[name]]
        bodies = held if isinstance(held, tuple) else (held,)
        known = self._loops[place]
        if not any(programs.knows(bodies) for programs in known.values()):
            form = name, tuple(form_of(body.jaxpr) for body in bodies)
            known.setdefault(form, _Programs()).add(bodies)

    def forget(self) -> None:
        """Discard what was recorded."""
        self._loops.clear()

    def observations(self) -> Iterator[Observation]:
        """Yield the calls for which the same loop or branches were compiled several times."""
        for place, forms in self._loops.items():
            (name, _), most = max(forms.items(), key=lambda item: item[1].times)
            if most.times >= LEAST_TIMES:
                yield LoopCompiledAgain(most.times, name == "cond", frame=place)
