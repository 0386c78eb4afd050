"""Owns watching a run for what raises nothing: effects while tracing, compiling again and again.

What is watched is replaced while the learner's code runs, and put back afterwards. A replacement
does what the original does; it notes the learner's frame besides.
"""

from __future__ import annotations

import builtins
import functools
import logging
import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.model import Frame, Observation
from jaxtutor.worker import leaks, provenance
from jaxtutor.worker.provenance import IsOwn, tracers_in

MOST_OBSERVATIONS = 40
_TRACER_TEXT = re.compile(r"(Tracer|Traced)[(<]")
_MISS = re.compile(r"TRACING CACHE MISS")
_DEFINED = re.compile(r"(?:for )?(\S+) (?:id=\d+ )?defined at (.*):(\d+)")
_WARNINGS = (
    ("float64", re.compile(r"dtype float64 .*truncated to dtype float32", re.S)),
    (
        "int_update",
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
_TIME = "time perf_counter monotonic time_ns perf_counter_ns process_time".split()


class Watch:
    """Watches one run; a context manager that keeps what it saw."""

    def __init__(self, is_own: IsOwn) -> None:
        self.is_own = is_own
        self._seen: dict[tuple[str, Frame | None], Observation] = {}
        self._misses: Counter[tuple[str, str, int, str]] = Counter()
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> Watch:
        self._watch_calls()
        self._watch_warnings()
        self._watch_retraces()
        return self

    def __exit__(self, *_: object) -> None:
        while self._undo:
            self._undo.pop()()

    def observations(self) -> tuple[Observation, ...]:
        """Give what was seen, and the tracers that are still alive."""
        found = [*self._seen.values(), *self._retraces()]
        held = (Observation("leak", k.created, {}, k) for k in leaks.live_leaks(self.is_own))
        return (*found[:MOST_OBSERVATIONS], *held)

    # ------------------------------------------------------------ noting

    def note(self, kind: str, frame: FrameType | None, **facts: str) -> None:
        """Keep an observation at one of the learner's frames, once."""
        place = self._frame(frame)
        if place is not None and len(self._seen) < MOST_OBSERVATIONS:
            self._seen.setdefault((kind, place), Observation(kind, place, facts))

    def _frame(self, frame: FrameType | None) -> Frame | None:
        while frame is not None and not self.is_own(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None:
            return None
        code = frame.f_code
        span = provenance.span_at(code, frame.f_lasti)
        return Frame(code.co_filename, code.co_name, span) if span is not None else None

    def _is_called_by_learner(self, frame: FrameType) -> bool:
        return self.is_own(frame.f_code.co_filename)

    # ------------------------------------------------------------ replacing

    def _replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        original = getattr(owner, name, None)
        if original is None:
            return
        replacement = make(original)
        setattr(owner, name, replacement)
        self._undo.append(lambda: setattr(owner, name, original))

    def _watch_calls(self) -> None:
        self._replace(builtins, "print", self._printing)
        self._replace(builtins, "next", self._advancing)
        for module, names, kind in (
            (np.random, _NP_RANDOM, "host_random"),
            (random, _RANDOM, "host_random"),
            (time, _TIME, "host_time"),
        ):
            for name in names:
                self._replace(module, name, functools.partial(self._impure, kind))
        self._replace(np.random, "default_rng", self._seeding)
        self._replace(jax.core.Tracer, "item", self._item)

    def _printing(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def print(*values: object, **options: Any) -> None:
            caller = sys._getframe(1)
            if self._is_called_by_learner(caller) and any(map(_shows_tracer, values)):
                self.note("print", caller)
            original(*values, **options)

        return print

    def _advancing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def next(*given: Any) -> Any:
            caller = sys._getframe(1)
            if self._is_called_by_learner(caller) and provenance.is_staging():
                name = _outer_name(caller, given[0]) if given else ""
                if name:
                    self.note("next", caller, name=name)
            return original(*given)

        return next

    def _impure(self, kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def impure(*args: Any, **kwargs: Any) -> Any:
            caller = sys._getframe(1)
            if self._is_called_by_learner(caller) and provenance.is_staging():
                self.note(kind, caller, name=getattr(original, "__name__", ""))
            return original(*args, **kwargs)

        return impure

    def _seeding(self, original: Callable[..., Any]) -> Callable[..., Any]:
        watch = self

        class Generator(np.random.Generator):
            def __getattribute__(self, name: str) -> Any:
                caller = sys._getframe(1)
                if watch._is_called_by_learner(caller) and provenance.is_staging():
                    watch.note("host_random", caller, name=name)
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
            if provenance.transformation_of(tracer) == "grad":
                self.note("item", sys._getframe(1))
            return value

        return item

    # ------------------------------------------------------------ warnings and logs

    def _watch_warnings(self) -> None:
        """Listen before filters apply: a program may have asked not to see warnings."""

        def warning(original: Callable[..., None]) -> Callable[..., None]:
            def warn(message: Any, *rest: Any, **options: Any) -> None:
                for kind, pattern in _WARNINGS:
                    if pattern.search(str(message)):
                        self.note(kind, sys._getframe(1))
                if len(rest) > 1:
                    rest = (rest[0], rest[1] + 1, *rest[2:])
                else:
                    options["stacklevel"] = options.get("stacklevel", 1) + 1
                original(message, *rest, **options)

            return warn

        self._replace(warnings, "warn", warning)

    def _watch_retraces(self) -> None:
        """Listen to JAX's own explanations of why it traces again."""
        logger = logging.getLogger("jax._src.interpreters.partial_eval")
        handler = _Listener(self._note_miss)
        before = (logger.propagate, jax.config.jax_explain_cache_misses)
        logger.addHandler(handler)
        logger.propagate = False
        jax.config.update("jax_explain_cache_misses", True)

        def undo() -> None:
            logger.removeHandler(handler)
            logger.propagate = before[0]
            jax.config.update("jax_explain_cache_misses", before[1])

        self._undo.append(undo)

    def _note_miss(self, text: str) -> None:
        defined = _DEFINED.search(text)
        if not _MISS.search(text) or defined is None or not self.is_own(defined[2]):
            return
        if "different input types" in text:
            return
        if "defined on the same line" in text:
            self._misses[("new_callable", defined[2], int(defined[3]), defined[1])] += 1
        elif "all previously seen cache keys differ" in text:
            self._misses[("static_change", defined[2], int(defined[3]), defined[1])] += 1

    def _retraces(self) -> Iterator[Observation]:
        for (kind, file, line, name), count in self._misses.items():
            frame = Frame(file, name, provenance.whole_line(file, line))
            yield Observation(kind, frame, {"name": name, "times": str(count)})


class _Listener(logging.Handler):
    def __init__(self, heard: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        self.heard(record.getMessage())


def _shows_tracer(value: object) -> bool:
    if type(value) is str:
        return bool(_TRACER_TEXT.search(value))
    return any(True for _ in tracers_in(value))


def _outer_name(frame: FrameType, iterator: object) -> str:
    """Name an iterator that a function did not make: a global, or one of an enclosing function."""
    code = frame.f_code
    for name in code.co_freevars:
        if frame.f_locals.get(name) is iterator:
            return name
    for name in code.co_names:
        if frame.f_globals.get(name) is iterator:
            return name
    return ""
