"""Measures what `diagnose` adds to a training loop of a minute: time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.interleave import LONG, TUTOR, surroundings, take_turns

COLUMNS = Columns(
    "training: a loop of a minute under `diagnose`",
    floor="plain Python",
    notes=(
        "The script (benchmarks/bare/training.py) times its own loop, tracing and compiling",
        "included, and reads the largest resident memory of its process.",
    ),
)
SECONDS = 60.0
OF_FLOOR = 1.05
MOST_MORE = 50.0
TRIALS = (400, 4000)  # steps that are timed to find how many take a minute
MOST_ROUNDS = 3  # of two minutes each
SCRIPT = str(ROOT / "benchmarks" / "bare" / "training.py")

Figures = tuple[float, float, float]


def run(options: Options) -> Iterator[Row]:
    """Find how many steps take a minute, and measure that loop in turn."""
    few, many = TRIALS
    (short, _, _), (long, _, _) = _plain(few, options), _plain(many, options)
    rate = (many - few) / (long - short)  # without the time for tracing and compiling
    steps = int(few + rate * (SECONDS - short))
    taken: dict[str, list[Figures]] = {"ours": [], "floor": []}

    def ours() -> float:
        taken["ours"].append(_observed(steps, options))
        return taken["ours"][-1][0]

    def floor() -> float:
        taken["floor"].append(_plain(steps, options))
        return taken["floor"][-1][0]

    take_turns(min(options.repeats, MOST_ROUNDS), {"ours": ours, "floor": floor}, unkept=0)
    for name, place in (("loop", 0), ("loop, processor", 1)):
        mine, theirs = ([f[place] * 1e3 for f in taken[side]] for side in ("ours", "floor"))
        yield Row(name=name, ours=mine, floor=theirs, of_floor=OF_FLOOR)
    pairs = list(zip(taken["ours"], taken["floor"], strict=True))
    yield Row(name="more memory", ours=[a[2] - b[2] for a, b in pairs], unit="MB", aim=MOST_MORE)


def _plain(steps: int, options: Options) -> Figures:
    return _figures(_output([sys.executable, SCRIPT, str(steps)], options))


def _observed(steps: int, options: Options) -> Figures:
    words = ["diagnose", "--json", "--once", "--timeout=900", SCRIPT, "--", str(steps)]
    result = json.loads(_output([*TUTOR, *words], options))
    if result["status"] != "clean":
        raise RuntimeError(f"the training script was not found clean: {result}")
    return _figures(result["stdout"])


def _output(command: list[str], options: Options) -> str:
    done = subprocess.run(
        command,
        env=surroundings(options.home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def _figures(printed: str) -> Figures:
    wall, processor, memory = map(float, printed.split()[-3:])
    return wall, processor, memory
