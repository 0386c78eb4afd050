"""Measures what each mechanism that observes a run costs: all of them, against all but one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.bare.watched import OFF
from benchmarks.interleave import LONG, Take, surroundings, take_turns

COLUMNS = Columns(
    "mechanisms: what each one adds to an observed run",
    floor="without it",
    notes=(
        "The processor time of four programs together, observed: a training loop (benchmarks/bare/",
        "silent.py) and three of tests/programs, against the same with one mechanism switched off.",
    ),
)
WATCHED = ROOT / "benchmarks" / "bare" / "watched.py"
PROGRAMS = (
    ROOT / "benchmarks" / "bare" / "silent.py",
    *(
        ROOT / "tests" / "programs" / f"{name}.py"
        for name in ("prng_key_reuse__scan_body", "result_not_finite__scan", "addition_lost__scan")
    ),
)


def run(options: Options) -> Iterator[Row]:
    """Measure the programs with all mechanisms, and without each one in turn."""
    environ = surroundings(options.home)
    sides = {name: _observed(name, environ) for name in ("", *OFF)}
    taken = take_turns(options.repeats, sides)
    for name in OFF:
        yield Row(name=name, ours=taken[""], floor=taken[name])


def _observed(mechanism: str, environ: Mapping[str, str]) -> Take:
    """Return a function that takes the processor time of all programs in ms."""

    def take() -> float:
        total = 0.0
        for program in PROGRAMS:
            command = [sys.executable, str(WATCHED), str(program), mechanism]
            done = subprocess.run(
                command, env=environ, capture_output=True, text=True, check=True, timeout=LONG
            )
            total += float(done.stdout)
        return total

    return take
