"""Keeps what is observed in a run: each kind of observation once at each place."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType, FrameType

from msgspec.structs import replace

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals.places import IsOwn

MOST_OBSERVATIONS = 40


class Recorder:
    """Keeps observations, and finds the learner's expression that a frame executes.

    `report` is called with each observation as soon as it is kept.
    """

    def __init__(self, is_own: IsOwn, report: Callable[[Observation], None] | None = None) -> None:
        self.is_own: IsOwn = functools.cache(is_own)
        self._report = report
        self._seen: dict[tuple[str, Frame | None], Observation] = {}
        self._codes: dict[int, CodeType] = {}

    @property
    def seen(self) -> tuple[Observation, ...]:
        """The observations so far."""
        return tuple(self._seen.values())

    @property
    def codes(self) -> tuple[CodeType, ...]:
        """The learner's code in which a place was looked for."""
        return tuple(self._codes.values())

    def forget(self) -> None:
        """Discard the observations."""
        self._seen.clear()
        self._codes.clear()

    def note(self, seen: Observation, frame: FrameType | None) -> None:
        """Record an observation at the innermost of the learner's frames."""
        place = self.place_of(frame)
        if place is not None:
            self.note_at(seen, place)

    def note_at(self, seen: Observation, place: Frame) -> None:
        """Record an observation at a place."""
        self.keep(replace(seen, frame=place))

    def keep(self, found: Observation) -> None:
        """Keep an observation, unless its kind was observed at the same place before."""
        at = found.kind, found.frame
        if len(self._seen) < MOST_OBSERVATIONS and at not in self._seen:
            self._seen[at] = found
            if self._report is not None:
                self._report(found)

    def place_of(self, frame: FrameType | None) -> Frame | None:
        """Return the expression that the innermost of the learner's frames executes."""
        while frame is not None and not self.is_own(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None:
            return None
        code = frame.f_code
        self._codes[id(code)] = code
        span = positions.span_at(code, frame.f_lasti)
        return Frame(code.co_filename, code.co_name, span) if span is not None else None

    def is_learners(self, frame: FrameType | None) -> bool:
        """Return whether a frame itself executes the learner's code."""
        return frame is not None and self.is_own(frame.f_code.co_filename)
