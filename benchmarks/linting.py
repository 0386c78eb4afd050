"""Measures how much source `jaxtutor lint` reads in a second, and its memory, beside ruff."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.interleave import TUTOR, Take, compare, processor_time, surroundings

COLUMNS = Columns(
    "lint: a whole process reads the sources of jaxtutor's core",
    rival="ruff",
    notes=(
        "Lines a second of processor time, so more is better; ruff has the rules of this project.",
        "`again` finds all files in the cache, which ruff has none of. Memory is the most of RSS.",
    ),
)
FOLDER = ROOT / "jaxtutor" / "core"
MIB = 1 << 10  # in the KiB that the system counts


def run(options: Options) -> Iterator[Row]:
    """Measure the first run, one with a cache, and the memory, each in turn with ruff."""
    environ = surroundings(options.home)
    command = (*TUTOR, "lint", "--jobs", "1", "--exit-zero", str(FOLDER))
    ruff = (
        str(Path(sys.executable).with_name("ruff")),
        "check",
        "--no-cache",
        "--exit-zero",
        str(FOLDER),
    )
    lines = sum(path.read_bytes().count(b"\n") for path in FOLDER.rglob("*.py"))

    def first() -> float:
        forget(environ)
        return processor_time(*command, environ=environ)()

    def least() -> float:
        forget(environ)
        return most_memory(*command, environ=environ)()

    rival = processor_time(*ruff, environ=environ)
    again = processor_time(*command, environ=environ)
    for name, take in (("lines a second", first), ("   again", again)):
        taken = compare(options.repeats, {"ours": take, "rival": rival})
        speeds = [lines / value for value in taken["ours"]]
        ruffs = [lines / value for value in taken["rival"]]
        yield Row(name=name, ours=speeds, rival=ruffs, unit="thousand")
    sides: dict[str, Take] = {"ours": least, "rival": most_memory(*ruff, environ=environ)}
    yield Row(name="memory", **compare(options.repeats, sides), unit="MiB")


def forget(environ: Mapping[str, str]) -> None:
    """Delete what was read before."""
    for folder in list(Path(environ["JAXTUTOR_HOME"]).rglob("lints")):
        shutil.rmtree(folder)


def most_memory(*command: str, environ: Mapping[str, str]) -> Take:
    """Return a function that takes the most memory that a whole process had, in MiB."""

    def take() -> float:
        process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
        return used.ru_maxrss / MIB

    return take
