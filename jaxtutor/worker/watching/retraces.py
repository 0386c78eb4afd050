"""Reads why JAX traces a function again, and what a function could read when it was traced."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from jaxtutor.core.data.observations import (
    CapturedChange,
    NewCallable,
    Observation,
    StaticChange,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import explanations, places, tracers, tracing
from jaxtutor.worker.watching import captured_state
from jaxtutor.worker.watching.captured_reads import CapturedReads
from jaxtutor.worker.watching.captured_state import ValueSnapshot
from jaxtutor.worker.watching.recompilations import Recompilations
from jaxtutor.worker.watching.recorder import MOST_OBSERVATIONS, Recorder
from jaxtutor.worker.watching.replacements import Replacements

_MISS = re.compile(r"TRACING CACHE MISS")
_DEFINED = re.compile(r"(?:for )?(\S+) (?:id=\d+ )?defined at (.*):(\d+)")


class Retraces:
    """Reads JAX's explanations, which are not shown."""

    def __init__(self, recorder: Recorder, recompilations: Recompilations) -> None:
        self._recorder = recorder
        self._recompilations = recompilations
        self._misses: Counter[tuple[type[NewCallable | StaticChange], str, int, str]] = Counter()
        self._states: list[ValueSnapshot] = []
        self._reads = CapturedReads(recorder.is_own)

    @property
    def states(self) -> tuple[ValueSnapshot, ...]:
        """Values that compiled functions could read in addition to their arguments."""
        return tuple(self._states)

    def start(self, replacements: Replacements) -> None:
        """Make JAX explain."""
        replacements.add(explanations.explain_misses(self._note_miss))

    def forget(self) -> None:
        """Discard what was recorded; snapshots that were given out stay as they are."""
        self._misses, self._states = Counter(), []
        self._reads.forget()

    def observations(self) -> Iterator[Observation]:
        """Yield the functions that were traced again although their arguments were alike."""
        for (kind, file, line, name), count in self._misses.items():
            frame = Frame(file, name, positions.whole_line(file, line))
            same = self._recompilations.times_same(name, file, line)
            yield kind(name, count, same, frame=frame)

    def changes(self) -> Iterator[Observation]:
        """Yield the values that have changed since a function was traced with them."""
        changed = [(state, set(state.changed())) for state in self._states]
        last = {(state.kind, state.frame): names for state, names in changed}
        for state, names in changed:
            for name in (n for n in state.before if n in names):
                is_renewed = name not in last[state.kind, state.frame]
                yield state.kind(name, is_renewed, frame=state.frame)
            state.release()

    def _note_miss(self, text: str) -> None:
        defined = _DEFINED.search(text)
        if not _MISS.search(text) or defined is None:
            return
        name, file, line = defined[1], defined[2], int(defined[3])
        is_own = self._recorder.is_own(file)
        if is_own or places.is_wrapper(file):
            self._recompilations.note_trace(name, file, line)
            for again in self._recompilations.often(name, file, line):
                self._recorder.keep(again)
        if not is_own:
            return
        self._keep_state(Frame(file, name, positions.whole_line(file, line)), line)
        if "different input types" in text:
            return
        if "defined on the same line" in text:
            self._misses[NewCallable, file, line, name] += 1
        elif "all previously seen cache keys differ" in text:
            self._misses[StaticChange, file, line, name] += 1

    def note_call(self, jaxpr: Any) -> None:
        """Record what a compiled function read that has changed, now that it is called again."""
        for change in self._reads.changes(tracers.program_place(jaxpr)):
            read = change.read
            self._recorder.note_at(CapturedChange(read.path, read.before, change.after), read.place)

    def _keep_state(self, frame: Frame, line: int) -> None:
        """Save values that a function being compiled can read in addition to its arguments."""
        call = tracing.call_being_traced()
        if call is not None:
            with suppress(Exception):  # what cannot be read is not compared
                self._reads.keep((frame.function, frame.file, line), call[0])
        if call is None or len(self._states) >= MOST_OBSERVATIONS:
            return
        function, values = call
        room = MOST_OBSERVATIONS - len(self._states)
        found = captured_state.snapshots(frame, function, values, self._recorder.is_own)
        self._states.extend(islice(found, room))
