"""Measures values in turn: each side once a round, in an order that rotates."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Required, TypedDict

from benchmarks import ROOT

Take = Callable[[], float]
TUTOR = (sys.executable, "-P", "-m", "jaxtutor")
LONG = 900.0


def take_turns(
    repeats: int,
    sides: Mapping[str, Take],
    before: Callable[[], None] = lambda: None,
    unkept: int = 1,
) -> dict[str, list[float]]:
    """Return each side's values. The first round is discarded, because it fills caches.

    `before` is called before each value, to wait until an earlier one has finished completely.
    """
    names = list(sides)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for place in range(repeats + unkept):
        for name in names[place % len(names) :] + names[: place % len(names)]:
            before()
            value = sides[name]()
            if place >= unkept:
                taken[name].append(value)
    return taken


class Sides(TypedDict, total=False):
    """The values of a figure, by the sides' names in a row."""

    ours: Required[list[float]]
    floor: list[float]
    rival: list[float]


def compare(
    repeats: int,
    sides: Mapping[str, Take],
    before: Callable[[], None] = lambda: None,
    unkept: int = 1,
) -> Sides:
    """Measure ours, the floor and the rival in turn, or those of them that exist."""
    taken = take_turns(repeats, sides, before, unkept)
    made: Sides = {"ours": taken["ours"]}
    if "floor" in taken:
        made["floor"] = taken["floor"]
    if "rival" in taken:
        made["rival"] = taken["rival"]
    return made


def process(
    *command: str,
    environ: Mapping[str, str],
    folder: Path | None = None,
    good: tuple[int, ...] = (0,),
) -> Take:
    """Return a function that times a whole process in ms. An unexpected status is an error."""

    def take() -> float:
        started = time.perf_counter()
        done = subprocess.run(
            command,
            env=environ,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LONG,
        )
        taken = (time.perf_counter() - started) * 1e3
        if done.returncode not in good:
            said = (done.stdout + done.stderr).decode("utf-8", "replace")
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{said[-2000:]}")
        return taken

    return take


def processor_time(*command: str, environ: Mapping[str, str], good: tuple[int, ...] = (0,)) -> Take:
    """Return a function that takes the processor time of a whole process in ms.

    Unlike the time on the clock, it hardly depends on what else runs. An unexpected status is an
    error.
    """

    def take() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process(*command, environ=environ, good=good)()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return used * 1e3

    return take


def instructions(*command: str, environ: Mapping[str, str]) -> Take:
    """Return a function that counts the instructions of a whole process, in millions.

    Without valgrind, or with an unexpected status, it raises RuntimeError.
    """

    def take() -> float:
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            raise RuntimeError("valgrind is not installed: it counts instructions")
        counting = [valgrind, "--tool=cachegrind", "--cache-sim=no"]
        counting.append("--cachegrind-out-file=/dev/null")
        done = subprocess.run(
            [*counting, *command],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LONG,
        )
        said = done.stderr.decode("utf-8", "replace")
        counts = re.findall(r"^==\d+== I +refs: +([\d,]+)$", said, re.M)
        if done.returncode or not counts:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{said[-2000:]}")
        return int(counts[-1].replace(",", "")) / 1e6

    return take


def surroundings(home: Path, **more: str) -> dict[str, str]:
    """Return an environment with its own home, in which this checkout runs."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("JAXTUTOR_")}
    return {
        **kept,
        "JAXTUTOR_HOME": str(home),
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "",  # an installed package has its bytecode
        "TERM": "xterm-256color",
        "TF_CPP_MIN_LOG_LEVEL": "1",
        **more,
    }
