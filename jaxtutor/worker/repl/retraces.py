"""Records what jit traced at the prompt, and why it traced again."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import jax

from jaxtutor.core.repl.messages import Line, Page, PageStyle
from jaxtutor.core.repl.trace_reasons import ArgumentDescription, TraceRecord, explain
from jaxtutor.worker.internals import explanations, tracers, tracing
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.repl import values

MOST_TRACES = 400
_MISS = re.compile(r"TRACING CACHE MISS")
_DEFINED = re.compile(r"(?:for )?(\S+) (?:id=\d+ )?defined at (.*):(\d+)")
_TEXT_CAP = 60


class TraceRecorder:
    """Reads JAX's log of what it traces, and keeps the traces of the learner's functions."""

    def __init__(self, is_own: IsOwn) -> None:
        self.is_own = is_own
        self.kept: list[
            tuple[TraceRecord, Any]
        ] = []  # the function too, so that its id stays its own
        logger = logging.getLogger(explanations.TRACE_LOGGER)
        logger.addHandler(_TraceListener(self._note))
        logger.propagate = False
        jax.config.update("jax_explain_cache_misses", True)

    def _note(self, text: str) -> None:
        defined = _DEFINED.search(text)
        if not _MISS.search(text) or defined is None or not self.is_own(defined[2]):
            return
        called = tracing.arguments_being_traced()
        if called is None or len(self.kept) >= MOST_TRACES:
            return
        function, values, static = called
        trace = TraceRecord(
            function=defined[1],
            line=int(defined[3]),
            file=defined[2],
            identity=id(function),
            called_from=self._own_line(sys._getframe(1)),
            arguments=tuple(_arguments(values, static)),
        )
        if (trace, function) not in self.kept[-1:]:  # some versions of JAX log it twice
            self.kept.append((trace, function))

    def _own_line(self, frame: FrameType | None) -> int | None:
        while frame is not None and not self.is_own(frame.f_code.co_filename):
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None

    def of(self, function: Any) -> list[TraceRecord]:
        """Return the traces of the function defined at the same line."""
        code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
        return [
            trace
            for trace, _ in self.kept
            if code is not None
            and (trace.file, trace.line) == (code.co_filename, code.co_firstlineno)
        ]

    def report(self, function: Any = None) -> TraceHistory:
        """Return the traces of one function, or of all, with the reason for each."""
        if function is None:
            return TraceHistory(tuple(trace for trace, _ in self.kept))
        name = getattr(function, "__name__", "it")
        return TraceHistory(tuple(self.of(function)), name)


@dataclass(frozen=True, repr=False)
class TraceHistory:
    """The traces of functions in order. `reasons` explains every trace but the first."""

    traces: tuple[TraceRecord, ...]
    name: str = ""
    reasons: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        reasons = tuple(why for group in self._groups().values() for why in explain(group))
        object.__setattr__(self, "reasons", reasons)

    def __len__(self) -> int:
        return len(self.traces)

    __repr__ = values.report_text

    def _groups(self) -> dict[tuple[str, str, int], list[TraceRecord]]:
        groups: dict[tuple[str, str, int], list[TraceRecord]] = {}
        for trace in self.traces:
            groups.setdefault((trace.function, trace.file, trace.line), []).append(trace)
        return groups

    def _page_(self, look: PageStyle) -> Page:
        groups = self._groups()
        if not groups:
            what = f"{self.name} was not traced by jit yet." if self.name else "Nothing was traced."
            hint = " Call it under jit first: only jit keeps what it traced."
            return (((what + hint, ""),),)
        return tuple(line for group in groups.values() for line in _group_lines(group, look))


def _group_lines(traces: list[TraceRecord], look: PageStyle) -> Iterator[Line]:
    first = traces[0]
    times = "once" if len(traces) == 1 else f"{len(traces)} times"
    yield (
        (first.function, "code"),
        (f" (line {first.line}) was traced {times}", "title"),
    )
    for number, (trace, why) in enumerate(zip(traces, explain(traces), strict=True), 1):
        arguments = ", ".join(f"{a.name}={a.text}" for a in trace.arguments)
        at = f"   line {trace.called_from}" if trace.called_from else ""
        yield ((f"  {number}  ", "quiet"), (arguments[: look.width * 2], ""), (at, "quiet"))
        if why:
            yield (("     " + why, "mark"),)


class _TraceListener(logging.Handler):
    def __init__(self, on_message: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self.on_message = on_message

    def emit(self, record: logging.LogRecord) -> None:
        self.on_message(record.getMessage())


def _arguments(values: dict[str, Any], static: frozenset[str]) -> Iterator[ArgumentDescription]:
    for name, value in values.items():
        if name in static:
            yield ArgumentDescription(name, _text(value), "static")
            continue
        try:
            paths, structure = jax.tree_util.tree_flatten_with_path(value)
        except Exception:  # one of the learner's classes may not flatten
            continue
        if len(paths) == 1 and not paths[0][0]:
            yield _leaf(name, value)
            continue
        yield ArgumentDescription(name, str(structure)[:_TEXT_CAP], "structure")
        for path, leaf in paths[:20]:
            yield _leaf(name + jax.tree_util.keystr(path), leaf)


def _leaf(name: str, value: Any) -> ArgumentDescription:
    text = tracers.aval_text(value)
    return ArgumentDescription(name, text or _text(value), "array" if text else "static")


def _text(value: Any) -> str:
    named = getattr(value, "__name__", None)
    if callable(value) and isinstance(named, str):
        return named
    try:
        return repr(value)[:_TEXT_CAP]
    except BaseException:  # the learner's __repr__ may do anything
        return type(value).__name__
