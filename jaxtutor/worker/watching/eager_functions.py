"""Counts the calls of the learner's functions that compute with arrays outside of programs.

Each operator of an array reports where it was called. A function was called again when it is at its
first operator again, and was at another one meanwhile.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import jax

from jaxtutor.core.data.observations import EagerCalls, Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.observed.location import loop_in_function
from jaxtutor.worker import positions
from jaxtutor.worker.internals import evaluation, tracing
from jaxtutor.worker.internals.tracers import is_tracer
from jaxtutor.worker.watching.recorder import Recorder

ENOUGH = 100
"""The calls of a function that are counted."""
MOST_OPERATORS = 20_000  # that are looked at, in all; one takes a microsecond
MOST_FUNCTIONS = 200
DEEPEST = 8  # of the learner's functions that call one another
_OPERATORS = (
    *(
        f"__{side}{name}__"
        for name in "add sub mul truediv pow matmul".split()
        for side in ("", "r")
    ),
    "__neg__",
    "__getitem__",
)


@dataclass
class _EagerCalls:
    """The calls of one function: from which code, and where its first operator stands."""

    place: Frame | None
    caller: CodeType | None
    start: Frame | None
    first: int
    last: int = -1
    times: int = 0
    shapes: set[object] = field(default_factory=set)

    @property
    def is_alike(self) -> bool:
        """Whether the arrays had the same shapes in each call."""
        return len(self.shapes) == 1


class EagerFunctions:
    """Collects the functions that were called often, with arrays of the same shapes each time."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._calls: dict[CodeType, _EagerCalls] = {}
        self._left = MOST_OPERATORS

    def forget(self) -> None:
        """Discard what was recorded."""
        self._calls.clear()
        self._left = MOST_OPERATORS

    def start(self) -> Callable[[], None]:
        """Start counting. Return a function that stops it."""
        kind = evaluation.array_type()
        originals = {name: getattr(kind, name) for name in _OPERATORS if hasattr(kind, name)}
        for name, original in originals.items():
            setattr(kind, name, self._counting(original))

        def stop() -> None:
            for name, original in originals.items():
                setattr(kind, name, original)

        return stop

    def _counting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def operate(*args: Any) -> Any:
            if self._left > 0:
                with suppress(Exception):  # this must never change what the learner sees
                    self._note(sys._getframe(1))
            return original(*args)

        return operate

    def _note(self, frame: FrameType | None) -> None:
        """Count an operator of the learner's, in its function and in those that call it."""
        if frame is not None and not self._recorder.is_learners(frame):
            frame = frame.f_back  # another watch of the same operator stands in between
        for _ in range(DEEPEST):
            if frame is None or not self._recorder.is_learners(frame):
                return
            self._left -= 1
            if not frame.f_code.co_name.startswith("<"):
                self._count(frame)
            frame = frame.f_back

    def _count(self, frame: FrameType) -> None:
        code, at = frame.f_code, frame.f_lasti
        calls = self._calls.get(code)
        if calls is None:
            if len(self._calls) >= MOST_FUNCTIONS:
                return
            caller = frame.f_back
            places = self._recorder.place_of(caller), self._recorder.place_of(frame)
            calls = _EagerCalls(places[0], getattr(caller, "f_code", None), places[1], at)
            self._calls[code] = calls
        is_new = at == calls.first and calls.last != at
        calls.last = at
        if not is_new or calls.times >= ENOUGH or (calls.times and not calls.is_alike):
            return
        calls.times += 1
        given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
        arrays = [value for value in given if isinstance(value, jax.Array)]
        if not arrays or any(map(is_tracer, arrays)) or tracing.is_staging():
            calls.shapes.update((None, ...))
        calls.shapes.add(tuple((value.shape, str(value.dtype)) for value in arrays))

    def observations(self) -> Iterator[Observation]:
        """Yield the functions that were called often, except those that only these call."""
        often = {
            code: calls
            for code, calls in self._calls.items()
            if calls.times >= ENOUGH and calls.is_alike and not _is_in_loop(calls.start)
        }
        for code, calls in often.items():
            is_inner = calls.caller in often
            if calls.place is not None and calls.start is not None and not is_inner:
                yield EagerCalls(code.co_name, calls.start, calls.times, frame=calls.place)


def _is_in_loop(start: Frame | None) -> bool:
    """Return whether the first operator stands in a loop: then its rounds were counted as calls."""
    module = positions.module_of(start.file) if start is not None else None
    if module is None or start is None:
        return False
    return loop_in_function(module, module.node_at(start.span)) is not None
