"""Times a call until its computation ends, with compiling separate from running."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jaxtutor.core.repl.messages import Page, PageStyle
from jaxtutor.worker.repl import values
from jaxtutor.worker.repl.programs import TraceableCall

BUDGET = 0.4
"""Seconds for all runs of one kind together."""
MOST_RUNS, LEAST_RUNS = 2000, 3


@dataclass(frozen=True)
class Runs:
    """Seconds per run: the median, the minimum, and the number of runs."""

    median: float
    least: float
    count: int


@dataclass(frozen=True, repr=False)
class Times:
    """Seconds of a call without jit and under jit. The first call without jit also compiles."""

    first: float
    plain: Runs | None
    trace: float | None
    compile: float | None
    jitted: Runs | None

    @property
    def run(self) -> float:
        """The median without jit, or under jit if the function is already jitted."""
        runs = self.plain or self.jitted
        return runs.median if runs else 0.0

    def _page_(self, _: PageStyle) -> Page:
        rows: list[tuple[str, str, str]] = []
        if self.plain is not None:
            rows.append(("first call", values.seconds_text(self.first), "compiling included"))
            rows.append(_row("run as it is", self.plain))
        if self.compile is not None and self.trace is not None:
            rows.append(("tracing", values.seconds_text(self.trace), ""))
            rows.append(("compiling", values.seconds_text(self.compile), ""))
        if self.jitted is not None:
            rows.append(_row("run under jit", self.jitted))
        return values.table(rows)

    __repr__ = values.report_text


def _row(name: str, runs: Runs) -> tuple[str, str, str]:
    least = values.seconds_text(runs.least)
    return name, values.seconds_text(runs.median), f"median of {runs.count}, minimum {least}"


def measure(program: TraceableCall) -> Times:
    """Time a call. A function that is not jitted is also timed under jit, if it can be traced."""
    first, plain = 0.0, None
    if not program.is_jitted:
        started = time.perf_counter()
        program.call()
        first = time.perf_counter() - started
        plain = _runs(program.call)
    try:
        return _measure_jitted(program, first, plain)
    except Exception:
        if plain is None:
            raise
        return Times(first, plain, None, None, None)  # not every function can be traced


def _measure_jitted(program: TraceableCall, first: float, plain: Runs | None) -> Times:
    started = time.perf_counter()
    lowered = program.traced().lower()
    traced_at = time.perf_counter()
    lowered.compile()
    compiled_at = time.perf_counter()
    program.call(program.jitted)  # finds the compiled program and runs it for the first time
    jitted = _runs(lambda: program.call(program.jitted))
    return Times(first, plain, traced_at - started, compiled_at - traced_at, jitted)


def _runs(work: Callable[[], Any]) -> Runs:
    taken: list[float] = []
    until = time.perf_counter() + BUDGET
    while len(taken) < LEAST_RUNS or (time.perf_counter() < until and len(taken) < MOST_RUNS):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
        if taken[-1] > 10 * BUDGET:
            break
    return Runs(statistics.median(taken), min(taken), len(taken))
