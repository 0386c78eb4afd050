"""Records places that read the value of an array again and again, and how long they waited.

A read such as `float(loss)` returns when the device has computed the value. Until then Python does
not start the next step.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from jaxtutor.core.data.observations import HostRead, Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import evaluation
from jaxtutor.worker.watching.recorder import Recorder

OFTEN = 200
"""Reads at one place that are too few to report: a short run, or progress that somebody follows."""

LEAST_UNREADY = 0.25
"""The share of the reads that has to wait; small programs finish before anything reads them."""

MOST_PLACES = 200
_READING = ("__float__", "item", "__format__", "__str__", "__repr__")
_NEAREST = 4  # frames between a read and the learner's: those of `print`, for example


@dataclass
class _Reads:
    """The reads at one place, in seconds of wall time."""

    place: Frame | None
    began: float
    ended: float = 0.0
    waited: float = 0.0
    count: int = 0
    unready: int = 0

    def observation(self) -> HostRead | None:
        """Describe reads that were made often, and that had to wait."""
        if self.place is None or self.count <= OFTEN or self.unready < LEAST_UNREADY * self.count:
            return None
        return HostRead(self.count, self.waited, self.ended - self.began, frame=self.place)


class HostReads:
    """Counts the reads at each of the learner's expressions."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._reads: dict[tuple[CodeType, int], _Reads] = {}
        self._is_reading = False

    def start(self) -> Callable[[], None]:
        """Start observing without starting JAX's backend. Return a function that stops it."""
        kind = evaluation.array_type()
        originals = {name: getattr(kind, name) for name in _READING if hasattr(kind, name)}
        for name, original in originals.items():
            setattr(kind, name, self._reading(original))

        def stop() -> None:
            for name, original in originals.items():
                setattr(kind, name, original)

        return stop

    def forget(self) -> None:
        """Discard what was recorded."""
        self._reads.clear()

    def observations(self) -> Iterator[Observation]:
        """Yield the places that waited often, with the times until now."""
        found = (reads.observation() for reads in self._reads.values())
        return (seen for seen in found if seen is not None)

    def _reading(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def read(array: Any, *args: Any) -> Any:
            if self._is_reading:
                return original(array, *args)
            reads = self._at(sys._getframe(1))
            if reads is None:
                return original(array, *args)
            self._is_reading = True
            started = time.perf_counter()
            reads.unready += not _is_ready(array)
            try:
                return original(array, *args)
            finally:
                self._is_reading = False
                reads.ended = time.perf_counter()
                reads.waited += reads.ended - started
                reads.count += 1
                if reads.count == OFTEN + 1 and (seen := reads.observation()) is not None:
                    self._recorder.keep(seen)

        return read

    def _at(self, frame: FrameType | None) -> _Reads | None:
        for _ in range(_NEAREST):
            if frame is None:
                return None
            if self._recorder.is_learners(frame):
                break
            frame = frame.f_back
        else:
            return None
        key = (frame.f_code, frame.f_lasti)
        reads = self._reads.get(key)
        if reads is None and len(self._reads) < MOST_PLACES:
            reads = self._reads[key] = _Reads(self._recorder.place_of(frame), time.perf_counter())
        return reads


def _is_ready(array: Any) -> bool:
    try:
        return bool(array.is_ready())
    except Exception:  # a deleted array, for instance: the read itself says so
        return True
