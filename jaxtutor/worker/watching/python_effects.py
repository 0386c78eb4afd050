"""Records effects that happen only while a function is traced: prints, random numbers, times.

Only functions of Python, NumPy and `jax.debug` are replaced, so the cost is too small to measure.
"""

from __future__ import annotations

import builtins
import functools
import os
import random
import re
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import (
    DebugFormat,
    Float64Truncated,
    HostRandom,
    HostTime,
    IntUpdate,
    ItemTaken,
    IteratorAdvanced,
    PrintedNotFinite,
    TracerPrinted,
)
from jaxtutor.worker.internals import tracing
from jaxtutor.worker.internals.tracers import tracers_in
from jaxtutor.worker.watching import plates
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.replacements import Replacements, caller

_TRACER_TEXT = re.compile(r"(Tracer|Traced)[(<]")
_WARNINGS = (
    (Float64Truncated(), re.compile(r"dtype float64 .*truncated to dtype float32", re.S)),
    (
        IntUpdate(),
        re.compile(r"cannot safely cast value from dtype=\w*float\d+ .*dtype=u?int", re.S),
    ),
)
_NP_RANDOM = (
    "rand randn randint random random_sample normal uniform choice permutation shuffle binomial"
    " poisson exponential standard_normal beta gamma multivariate_normal"
).split()
_RANDOM = (
    "random uniform randint gauss choice choices sample shuffle randrange normalvariate".split()
)
_OWN_FOLDER = str(Path(__file__).parent.parent) + os.sep
_TIME = "time perf_counter monotonic time_ns perf_counter_ns process_time".split()


class PythonEffects:
    """Watches calls of Python's own functions, and warnings.

    `note_printed` is called with the values of every `print`, and returns whether one of them is
    not finite for an unknown reason. `note_clock` is called with the frame of every clock read.
    """

    def __init__(
        self,
        recorder: Recorder,
        note_printed: Callable[[Sequence[object]], bool],
        note_clock: Callable[[FrameType | None], None] = lambda _: None,
    ) -> None:
        self._recorder = recorder
        self._note_printed, self._note_clock = note_printed, note_clock

    def start(self, replacements: Replacements) -> None:
        """Replace the functions."""
        replacements.replace(builtins, "print", self._printing)
        replacements.replace(builtins, "next", self._advancing)
        for module, names, kind in (
            (np.random, _NP_RANDOM, HostRandom),
            (random, _RANDOM, HostRandom),
            (time, _TIME, HostTime),
        ):
            for name in names:
                replacements.replace(module, name, functools.partial(self._impure, kind))
        replacements.replace(np.random, "default_rng", self._seeding)
        replacements.replace(jax.core.Tracer, "item", self._item)
        replacements.replace(jax.debug, "print", self._formatting)
        replacements.replace(warnings, "warn", self._warning)

    def _note_if_tracing(
        self, kind: type[HostRandom | HostTime], frame: FrameType | None, name: str
    ) -> None:
        if self._recorder.is_learners(frame) and tracing.is_staging():
            self._recorder.note(kind(name), frame)

    def _printing(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def print(*values: object, **options: Any) -> None:
            frame = caller()
            if self._recorder.is_learners(frame) and any(map(_shows_tracer, values)):
                self._recorder.note(TracerPrinted(), frame)
            if self._note_printed(values) and self._recorder.is_learners(frame):
                self._recorder.note(PrintedNotFinite(), frame)
            original(*values, **options)

        return print

    def _formatting(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def print(fmt: str, *values: Any, **options: Any) -> None:
            if type(fmt) is str and _TRACER_TEXT.search(fmt):
                self._recorder.note(DebugFormat(), sys._getframe(1))
            original(fmt, *values, **options)

        return print

    def _advancing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        is_own, find_frame = self._recorder.is_own, sys._getframe

        @functools.wraps(original)
        def next(*given: Any) -> Any:  # jax itself calls it a hundred times in each trace
            try:
                is_learners = is_own(find_frame(1).f_code.co_filename)
            except ValueError:  # an exit hook, for instance
                is_learners = False
            if is_learners and given and tracing.is_staging():
                frame = find_frame(1)
                name = _outer_name(frame, given[0])
                if name:
                    self._recorder.note(IteratorAdvanced(name), frame)
            return original(*given)

        return next

    def _impure(
        self, kind: type[HostRandom | HostTime], original: Callable[..., Any]
    ) -> Callable[..., Any]:
        @functools.wraps(original)
        def impure(*args: Any, **kwargs: Any) -> Any:
            self._note_if_tracing(kind, caller(), getattr(original, "__name__", ""))
            if kind is HostTime:
                with suppress(Exception):  # this must never change what the learner sees
                    self._note_clock(caller())
            return original(*args, **kwargs)

        return impure

    def _seeding(self, original: Callable[..., Any]) -> Callable[..., Any]:
        watch = self

        class Generator(np.random.Generator):
            def __getattribute__(self, name: str) -> Any:
                watch._note_if_tracing(HostRandom, caller(), name)
                return super().__getattribute__(name)

        @functools.wraps(original)
        def default_rng(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            return Generator(made.bit_generator)

        return default_rng

    def _item(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def item(tracer: Any, *args: Any) -> Any:
            value = original(tracer, *args)
            if tracing.transformation_of(tracer) == "grad":
                self._recorder.note(ItemTaken(), sys._getframe(1))
            return value

        return item

    def _warning(self, original: Callable[..., None]) -> Callable[..., None]:
        """Observe warnings before filters apply, because the program may have disabled them."""

        def warn(message: Any, *rest: Any, **options: Any) -> None:
            for seen, pattern in _WARNINGS:
                if pattern.search(str(message)):
                    self._recorder.note(seen, sys._getframe(1))
            if plates.MESSAGE in str(message):
                repeated = plates.repeated_site(sys._getframe(1))
                if repeated is not None:
                    self._recorder.note(repeated, sys._getframe(1))
            if len(rest) > 1:
                rest = (rest[0], _past_own_frames(rest[1], caller()), *rest[2:])
            else:
                level = options.get("stacklevel", 1)
                options["stacklevel"] = _past_own_frames(level, caller())
            original(message, *rest, **options)

        return warn


def _past_own_frames(level: int, frame: FrameType | None) -> int:
    """Return a stack level for `warnings.warn` that counts our frames in addition.

    `frame` calls `warn`, at level 1. The warning keeps the place that it has without us, and so
    the filters of that module apply to it.
    """
    own, left = 1, level - 1  # our `warn` is one
    while left > 0 and frame is not None:
        frame = frame.f_back
        if frame is not None and frame.f_code.co_filename.startswith(_OWN_FOLDER):
            own += 1
        elif frame is not None and not _is_import_machinery(frame):
            left -= 1
    return level + own


def _is_import_machinery(frame: FrameType) -> bool:
    """Return whether a frame is one that `warnings.warn` does not count (see its source)."""
    name = frame.f_code.co_filename
    return "importlib" in name and "_bootstrap" in name


def _shows_tracer(value: object) -> bool:
    if type(value) is str:
        return bool(_TRACER_TEXT.search(value))
    return any(True for _ in tracers_in(value))


def _outer_name(frame: FrameType, iterator: object) -> str:
    """Return the name of an iterator from global or enclosing scope, or an empty string."""
    code = frame.f_code
    for name in code.co_freevars:
        if frame.f_locals.get(name) is iterator:
            return name
    for name in code.co_names:
        if frame.f_globals.get(name) is iterator:
            return name
    return ""
