"""Records times that are taken before the device has finished, by the order of events.

An event is a read of a clock, a call that hands a program to the device, or a wait for a result. A
device runs its programs one after another, so a wait after the last call waits for all of them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

import jax

from jaxtutor.core.data.observations import Observation, TimedCall
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.observed.clocks import elapsed_time
from jaxtutor.worker import positions
from jaxtutor.worker.internals import evaluation
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.replacements import Replacements

MOST_CLOCKS = 40  # places that read a clock
MOST_CALLS = 16  # between two reads; of more, the last ones are a small part of the time
MOST_KEPT = 64  # calls that are remembered
MOST_SEEN = 300  # calls in all; JAX takes 0.2 ms longer for a call that Python sees
MOST_EVENTS = 10_000  # after which no clock read is looked at: a program may wait in a loop
LEAST_REPEATED = 2  # calls, or measured functions, of which the time to compile is misleading


_Given = tuple[int, list[Callable[[], Any]]]
"""A program and its arguments."""


@dataclass(frozen=True)
class _TimedCall:
    """A call of a compiled function.

    `is_repeated` says that the call before it had the same program and the same arguments.
    """

    event: int
    place: Frame
    program: int
    is_first: bool
    is_repeated: bool


@dataclass
class _Span:
    """The passes from one clock read to another."""

    start: Frame
    end: Frame
    passes: int = 0
    unawaited: int = 0
    awaited: int = 0
    compiled: int = 0  # passes in which the only program was called for the first time
    is_repeated: bool = False  # a first call, and more calls with the same arguments
    programs: frozenset[int] = frozenset()
    call: Frame | None = None


class ClockReads:
    """Follows the learner's clock reads. `is_busy` says that the program itself does not run."""

    def __init__(self, recorder: Recorder, is_busy: Callable[[], bool]) -> None:
        self._recorder, self._is_busy = recorder, is_busy
        self._event = self._waited = self._seen = 0
        self._reads: dict[Frame, int] = {}  # the event of the latest read at each place
        self._calls: list[_TimedCall] = []
        self._last_args: _Given | None = None
        self._spans: dict[tuple[Frame, Frame], _Span] = {}

    def start(self, replacements: Replacements) -> None:
        """Observe what waits for the device."""
        replacements.add(evaluation.watch_waits(self.note_wait))
        for name in ("block_until_ready", "device_get", "effects_barrier"):
            replacements.replace(jax, name, self._waiting)

    def forget(self) -> None:
        """Discard what was recorded."""
        self._reads.clear()
        self._calls.clear()
        self._spans.clear()
        self._seen, self._last_args = 0, None

    @property
    def is_open(self) -> bool:
        """Whether the learner has read a clock, so calls may be measured."""
        return bool(self._reads) and self._seen < MOST_SEEN

    def note_wait(self) -> None:
        """Record that the program waits for a result."""
        if not self._is_busy():
            self._event += 1
            self._waited = self._event

    def note_call(self, jaxpr: Any, args: Sequence[Any], is_first: bool, frame: FrameType) -> None:
        """Record a call of a program that is about to be made."""
        place = self._recorder.place_of(frame) if self.is_open else None
        if place is None:
            return
        self._seen += 1
        before, self._last_args = self._last_args, (id(jaxpr), [_reference(a) for a in args])
        is_repeated = before is not None and _are_same(before, self._last_args)
        self._event += 1
        call = _TimedCall(self._event, place, id(jaxpr), is_first, is_repeated)
        self._calls = [*self._calls[1 - MOST_KEPT :], call]

    def note_read(self, frame: FrameType | None) -> None:
        """Record that the program reads a clock."""
        if self._event >= MOST_EVENTS or not self._recorder.is_learners(frame):
            return
        place = self._recorder.place_of(frame)
        if place is None or (place not in self._reads and len(self._reads) >= MOST_CLOCKS):
            return
        self._event += 1
        for start, event in self._reads.items() if self.is_open else ():
            calls = [call for call in self._calls if call.event > event]
            if calls and start.file == place.file:
                self._add_pass(start, place, calls)
        self._reads[place] = self._event

    def _add_pass(self, start: Frame, end: Frame, calls: Sequence[_TimedCall]) -> None:
        span = self._spans.setdefault((start, end), _Span(start, end))
        last = calls[-1]
        is_finished = self._waited > last.event
        is_run = len(calls) <= MOST_CALLS and not all(call.is_first for call in calls)
        span.passes += 1
        span.awaited += is_finished
        span.unawaited += is_run and not is_finished
        span.call = last.place
        programs = {call.program for call in calls}
        if calls[0].is_first and len(programs) == 1:
            span.compiled += 1
            span.is_repeated |= len(calls) > 1 and all(call.is_repeated for call in calls[1:])
        span.programs |= programs

    def observations(self) -> Iterator[Observation]:
        """Yield the times that do not contain the work, or that contain its compilation."""
        measured = [span for span in self._spans.values() if _is_difference(span)]
        waited = {span.start for span in measured if span.awaited}
        for span in measured:
            if span.call is None:
                continue
            if span.unawaited and span.start not in waited:  # else both times are measured
                yield TimedCall(span.start, span.call, frame=span.end)
            elif _compiles(span):
                times = len(span.programs)
                yield TimedCall(span.start, span.call, True, times, frame=span.end)

    def _waiting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def wait(*args: Any, **options: Any) -> Any:
            with suppress(Exception):  # this must never change what the learner sees
                self.note_wait()
            return original(*args, **options)

        return wait


def _compiles(span: _Span) -> bool:
    """Return whether a benchmark measures the compilation: of several functions, or in repeats."""
    is_of_each = len(span.programs) == span.passes == span.compiled >= LEAST_REPEATED
    return is_of_each or (span.passes == 1 and span.is_repeated)


def _is_difference(span: _Span) -> bool:
    module = positions.module_of(span.end.file)
    return module is not None and elapsed_time(module, span.start, span.end) is not None


def _reference(value: Any) -> Callable[[], Any]:
    """Return a weak reference to an array; of a number of Python's, a reference to nothing."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: None


def _are_same(before: _Given, now: _Given) -> bool:
    """Return whether two calls are of one program, with the same arrays."""
    pairs = zip(before[1], now[1], strict=False)
    return before[0] == now[0] and all(a() is b() is not None for a, b in pairs)
