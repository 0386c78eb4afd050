"""Counts how often JAX compiles the same loop for one call, because it gets new functions."""

from __future__ import annotations

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

_BODIES = {"scan": "jaxpr", "while": "body_jaxpr"}
LOOPS = frozenset(_BODIES)


class _Programs:
    """The programs of one form that a loop at one place ran."""

    def __init__(self) -> None:
        self.times = 0
        self.last: list[Any] = []  # held, so that an equal identity is the same program

    def add(self, body: Any) -> None:
        if not any(body is known for known in self.last):
            self.times += 1
            self.last = [*self.last[1 - MOST_KEPT :], body]


class EagerLoops:
    """Collects the loops that run outside of compiled programs.

    JAX keeps the program of such a loop by its function objects. So a function that is defined
    again in each call makes it trace and compile each time.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._loops: defaultdict[Frame, dict[object, _Programs]] = defaultdict(dict)

    def note(self, name: str, params: Any) -> None:
        """Record a loop that is about to run."""
        place = self._recorder.place_of(sys._getframe(1))
        if place is None or (place not in self._loops and len(self._loops) >= MOST_PLACES):
            return
        body = params[_BODIES[name]]
        for programs in self._loops[place].values():
            if any(body is known for known in programs.last):
                return
        form = name, form_of(body.jaxpr)
        self._loops[place].setdefault(form, _Programs()).add(body)

    def forget(self) -> None:
        """Discard what was recorded."""
        self._loops.clear()

    def observations(self) -> Iterator[Observation]:
        """Yield the calls for which the same loop was compiled several times."""
        for place, forms in self._loops.items():
            times = max(programs.times for programs in forms.values())
            if times >= LEAST_TIMES:
                yield LoopCompiledAgain(times, frame=place)
