"""Traces, lowers and compiles calls, and reports jaxprs, HLO and costs."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jax

from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.judging import jaxprs as printed
from jaxtutor.core.repl.annotated_jaxpr import Row, beside_page
from jaxtutor.core.repl.messages import Page, PageStyle
from jaxtutor.worker import jaxprs
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.repl import operands, values

MOST_LINES = 400


@dataclass(frozen=True)
class TraceableCall:
    """A call to trace. Keywords that are options of `jax.jit` are passed to `jax.jit`."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise operands.UnusableOperand(
                f"Expected a function, got {operands.article(self.function)}."
            )

    @cached_property
    def given(self) -> dict[str, Any]:
        """The keywords that are passed to the function."""
        return {k: v for k, v in self.keywords.items() if k not in self._options}

    @cached_property
    def _options(self) -> dict[str, Any]:
        names = {"static_argnums", "static_argnames"} - parameters(self.function).keys()
        return {k: v for k, v in self.keywords.items() if k in names}

    @property
    def is_jitted(self) -> bool:
        """Whether the function is already jitted."""
        return hasattr(self.function, "lower") and hasattr(self.function, "trace")

    @property
    def plain(self) -> Callable[..., Any]:
        """The function without jit."""
        inner = getattr(self.function, "__wrapped__", None) if self.is_jitted else None
        return inner if callable(inner) else self.function

    @cached_property
    def jitted(self) -> Any:
        """The function under jit. Arguments that cannot be traced are static."""
        if self.is_jitted and not self._options:
            return self.function
        options = self._options or self._guessed()
        return jax.jit(self.plain, **options)

    def _guessed(self) -> dict[str, Any]:
        """Return options that make every argument static that is not arrays and numbers."""
        argnums = tuple(n for n, arg in enumerate(self.args) if not _is_data(arg))
        argnames = tuple(name for name, arg in self.given.items() if not _is_data(arg))
        found: dict[str, Any] = {}
        found |= {"static_argnums": argnums} if argnums else {}
        found |= {"static_argnames": argnames} if argnames else {}
        return found

    def traced(self) -> Any:
        """Trace the call."""
        return self.jitted.trace(*self.args, **self.given)

    def call(self, function: Callable[..., Any] | None = None) -> Any:
        """Call the function and wait for the result."""
        return jax.block_until_ready((function or self.function)(*self.args, **self.given))


def parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function, or an empty dict if they are not known."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def _is_data(value: Any) -> bool:
    try:
        return all(tracers.aval_text(leaf) for leaf in jax.tree.leaves(value))
    except Exception:  # one of the learner's classes may not flatten
        return False


# ---------------------------------------------------------------- jaxprs


@dataclass(frozen=True, repr=False)
class JaxprReport:
    """A call's jaxpr: `jaxpr` is JAX's object, `data` the same as plain data."""

    jaxpr: Any
    data: Jaxpr

    @classmethod
    def of(cls, program: TraceableCall, is_own: IsOwn) -> JaxprReport:
        """Trace a call."""
        closed = program.traced().jaxpr
        return cls(closed, jaxprs.convert(closed, "", _Lines(is_own).number))

    @property
    def equations(self) -> int:
        """The number of equations, including nested ones."""
        return printed.count(self.data)

    @property
    def primitives(self) -> tuple[str, ...]:
        """The names of the primitives, sorted."""
        return tuple(sorted(printed.primitives(self.data)))

    def _page_(self, _: PageStyle) -> Page:
        lines = printed.lines_alike(self.data)[0]
        page = tuple(((line.text, ""),) for line in lines[:MOST_LINES])
        left = len(lines) - len(page)
        return page + ((((f"{left:,} lines more", "quiet"),),) if left else ())

    __repr__ = values.report_text


class _Lines:
    """Numbers the lines of the learner's files that equations came from."""

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self.places: list[tuple[str, int]] = []

    def number(self, info: Any) -> int | None:
        frames = places.frames_of(info, self._is_own)
        if not frames:
            return None
        place = (frames[0].file, frames[0].span.line)
        if place not in self.places:
            self.places.append(place)
        return self.places.index(place)


@dataclass(frozen=True, repr=False)
class AnnotatedJaxpr:
    """A jaxpr with each equation beside the line of source that it came from."""

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, program: TraceableCall, is_own: IsOwn) -> AnnotatedJaxpr:
        """Trace a call."""
        lines = _Lines(is_own)
        data = jaxprs.convert(program.traced().jaxpr, "", lines.number)
        return cls(tuple(_rows(printed.lines_alike(data)[0], lines.places)))

    def _page_(self, look: PageStyle) -> Page:
        return beside_page(self.rows[:MOST_LINES], look)

    __repr__ = values.report_text


def _rows(lines: tuple[printed.Line, ...], places: list[tuple[str, int]]) -> Iterator[Row]:
    import linecache

    for line in lines:
        file, number = places[line.source] if line.source is not None else ("", 0)
        source = linecache.getline(file, number).rstrip("\n") if file else ""
        yield Row(line.text, source, number, file)


# ---------------------------------------------------------------- compiled


@dataclass(frozen=True, repr=False)
class CostReport:
    """XLA's estimates for a call, the seconds of each step, and bytes of memory by use."""

    flops: float
    bytes: float
    trace_seconds: float
    compile_seconds: float
    memory: dict[str, int]
    equations: int

    @classmethod
    def of(cls, program: TraceableCall) -> CostReport:
        """Trace and compile a call."""
        started = time.perf_counter()
        traced = program.traced()
        lowered = traced.lower()
        lowered_at = time.perf_counter()
        compiled = lowered.compile()
        done = time.perf_counter()
        found = _first(compiled.cost_analysis())
        return cls(
            flops=float(found.get("flops", 0.0)),
            bytes=float(found.get("bytes accessed", 0.0)),
            trace_seconds=lowered_at - started,
            compile_seconds=done - lowered_at,
            memory=dict(_memory(compiled)),
            equations=sum(1 for _ in jaxprs.walk(traced.jaxpr)),
        )

    def _page_(self, _: PageStyle) -> Page:
        rows = [
            ("FLOPs", f"{self.flops:,.0f}", "estimated by XLA"),
            ("bytes accessed", f"{self.bytes:,.0f}", "estimated by XLA"),
        ]
        if self.bytes:
            rows.append(("FLOPs per byte", f"{self.flops / self.bytes:.2f}", ""))
        rows += [(f"memory, {name}", f"{size:,}", "bytes") for name, size in self.memory.items()]
        rows += [
            ("equations", f"{self.equations:,}", ""),
            ("tracing", values.seconds_text(self.trace_seconds), ""),
            ("compiling", values.seconds_text(self.compile_seconds), ""),
        ]
        return values.table(rows)

    __repr__ = values.report_text


def _first(found: Any) -> dict[str, float]:
    if isinstance(found, list):
        found = found[0] if found else {}
    return dict(found or {})


def _memory(compiled: Any) -> Iterator[tuple[str, int]]:
    try:
        found = compiled.memory_analysis()
    except Exception:  # not every backend reports memory
        return
    for name in ("argument", "output", "temp"):
        size = getattr(found, f"{name}_size_in_bytes", None)
        if isinstance(size, int):
            yield {"argument": "arguments", "temp": "between"}.get(name, name), size


@dataclass(frozen=True, repr=False)
class Hlo:
    """The text of a call's lowered or compiled program."""

    text: str

    @classmethod
    def of(cls, program: TraceableCall, optimized: bool) -> Hlo:
        """Lower a call. With `optimized`, compile it and return XLA's optimized program."""
        lowered = program.traced().lower()
        return cls(str(lowered.compile().as_text() if optimized else lowered.as_text()))

    def _page_(self, _: PageStyle) -> Page:
        return values.clip(self.text.rstrip("\n"))

    def __str__(self) -> str:
        return self.text

    __repr__ = values.report_text
