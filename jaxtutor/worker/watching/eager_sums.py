"""Looks at totals that a loop adds to without compiling, one addition at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import evaluation
from jaxtutor.worker.watching.late_calls import is_probe
from jaxtutor.worker.watching.recorder import Recorder

MOST_ADDITIONS = 40  # at one place that are looked at in a row; each waits for its result
LATER_ADDITIONS = 12  # in a row, four times until their number has doubled
MOST_PLACES = 200

Look = Callable[[list[Any], list[Any], Frame], None]
"""Gets the two operands of an addition, its result in a list, and its place."""


class EagerSums:
    """Follows additions of single numbers whose left side is what the same place added before."""

    def __init__(self, recorder: Recorder, look: Look) -> None:
        self._recorder = recorder
        self.look = look
        self._last: dict[tuple[CodeType, int], tuple[int, Any]] = {}

    def start(self) -> Callable[[], None]:
        """Start observing. Return a function that stops it."""
        kind: Any = evaluation.array_type()
        original = getattr(kind, "__add__", None)
        if original is None:
            return lambda: None
        kind.__add__ = self._adding(original)

        def stop() -> None:
            kind.__add__ = original
            self._last.clear()

        return stop

    def _adding(self, original: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def add(total: Any, added: Any) -> Any:
            made = original(total, added)
            if total.ndim == 0:
                with suppress(Exception):  # this must never change what the learner sees
                    self._follow(total, added, made, sys._getframe(1))
            return made

        return add

    def _follow(self, total: Any, added: Any, made: Any, caller: FrameType) -> None:
        """Look at an addition to the result of the addition before it at the same place."""
        if not self._recorder.is_learners(caller):
            return
        at = caller.f_code, caller.f_lasti
        count, last = self._last.get(at, (0, None))
        if not count and len(self._last) >= MOST_PLACES:
            return
        self._last[at] = count + 1, made if _is_due(count + 1) else None
        place = self._recorder.place_of(caller) if last is total else None
        if place is not None:
            self.look([total, added], [made], place)


def _is_due(count: int) -> bool:
    return count < MOST_ADDITIONS or is_probe(count, LATER_ADDITIONS)
