"""Counts the calls of the learner's functions that compute with arrays outside of programs.

Python itself reports the first calls of each function, by `sys.monitoring`. Before Python 3.12
nothing is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType

import jax

from jaxtutor.core.data.observations import EagerCalls, Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import tracing
from jaxtutor.worker.internals.tracers import is_tracer
from jaxtutor.worker.watching.executed_code import FREE_TOOLS, MONITORING
from jaxtutor.worker.watching.recorder import Recorder

ENOUGH = 100
"""The calls of a function that are counted."""
MOST_FUNCTIONS = 500
_NO_FUNCTION = 0x20 | 0x80 | 0x100 | 0x200  # flags of generators and coroutines


@dataclass
class _Calls:
    """The calls of one function, the first of them from `place`, in the code `caller`."""

    place: Frame | None
    caller: CodeType | None
    times: int = 0
    shapes: set[object] = field(default_factory=set)


class EagerFunctions:
    """Collects the functions that were called often, with arrays of the same shapes each time."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._calls: dict[CodeType, _Calls] = {}

    def forget(self) -> None:
        """Discard what was recorded."""
        self._calls.clear()

    def start(self) -> Callable[[], None]:
        """Start counting. Return a function that stops it."""
        free = (n for n in FREE_TOOLS if MONITORING is not None and MONITORING.get_tool(n) is None)
        tool = next(free, None)
        if tool is None:
            return lambda: None
        event = MONITORING.events.PY_START
        MONITORING.use_tool_id(tool, "jaxtutor calls")
        MONITORING.register_callback(tool, event, self._started)
        MONITORING.set_events(tool, event)
        MONITORING.restart_events()  # what an earlier run has seen starts again

        def stop() -> None:
            MONITORING.set_events(tool, 0)
            MONITORING.register_callback(tool, event, None)
            MONITORING.free_tool_id(tool)

        return stop

    def _started(self, code: CodeType, _offset: int) -> object:
        """Count a call; return that no more of them are wanted if the function is no candidate."""
        if not self._recorder.is_own(code.co_filename) or not _is_candidate(code):
            return MONITORING.DISABLE
        try:
            is_wanted = self._count(code, sys._getframe(1))
        except Exception:  # this must never change what the learner sees
            is_wanted = False
        return None if is_wanted else MONITORING.DISABLE

    def _count(self, code: CodeType, frame: FrameType) -> bool:
        """Count a call, and return whether to count more of them."""
        calls = self._calls.get(code)
        if calls is None:
            caller = frame.f_back
            if len(self._calls) >= MOST_FUNCTIONS or not self._recorder.is_learners(caller):
                return False
            place = self._recorder.place_of(caller)
            calls = _Calls(place, caller.f_code if caller is not None else None)
            self._calls[code] = calls
        given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
        arrays = [value for value in given if isinstance(value, jax.Array)]
        if not arrays or any(map(is_tracer, arrays)) or tracing.is_staging():
            calls.shapes.update((None, ...))
        calls.shapes.add(tuple((value.shape, str(value.dtype)) for value in arrays))
        calls.times += 1
        return calls.times < ENOUGH and len(calls.shapes) == 1

    def observations(self) -> Iterator[Observation]:
        """Yield the functions that were called often, but for those that only these call."""
        often = {
            code: calls
            for code, calls in self._calls.items()
            if calls.times >= ENOUGH and len(calls.shapes) == 1
        }
        for code, calls in often.items():
            if calls.place is not None and calls.caller not in often:
                where = code.co_name, code.co_filename, code.co_firstlineno
                yield EagerCalls(*where, calls.times, frame=calls.place)


def _is_candidate(code: CodeType) -> bool:
    """Return whether code is of a function with a name and parameters."""
    is_plain = not code.co_flags & _NO_FUNCTION
    return is_plain and code.co_argcount > 0 and not code.co_name.startswith(("<", "__"))
