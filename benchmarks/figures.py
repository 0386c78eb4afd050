"""Owns the table of figures: each a ratio against its floor, both taken in turn in one run.

    python benchmarks/figures.py [--rounds N] [--lesson SLUG ...]

cold    `jaxtutor check`, a whole process, against benchmarks/floor.py, a whole process
warm    from a settled save to the verdict drawn, a spare standing ready, against the same calls in
        a process with jax warm
shell   commands without jax, and what a shell asks at Tab, against `python -c "import typer, rich"`
memory  is not measured here
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from jaxtutor import course
from jaxtutor.app import App
from jaxtutor.attempts import attempt
from jaxtutor.commands.verdicts import show_verdict
from jaxtutor.course import Lesson
from jaxtutor.options import Options
from jaxtutor.workspace import read, write_atomically

FLOOR = Path(__file__).resolve().parent / "floor.py"
READY_SECONDS = 3.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lesson", nargs="*", default=[])
    arguments = parser.parse_args()
    built_in = course.load(None)
    lessons = [built_in.find(name) for name in arguments.lesson] or list(built_in.lessons)
    with tempfile.TemporaryDirectory() as home:
        os.environ["JAXTUTOR_HOME"] = home
        say("shell", "ms", "floor ms", "ratio (spread)")
        measure_shell(arguments.rounds)
        say("cold", "ms", "floor ms", "ratio (spread)")
        for lesson in lessons[:: max(len(lessons) // 3, 1)]:
            measure_cold(lesson, arguments.rounds)
        say("warm", "ms", "floor ms", "ratio (spread)")
        measure_warm(lessons, max(arguments.rounds // 2, 2))


def say(*cells: str) -> None:
    """Print one row."""
    sys.stdout.write(f"{cells[0]:<24}" + "".join(f"{cell:>20}" for cell in cells[1:]) + "\n")
    sys.stdout.flush()


def row(name: str, pairs: list[tuple[float, float]]) -> float:
    """Print the medians of both and of their ratios, with the ratios' spread; return the ratio."""
    ours, floor = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = sorted(a / b for a, b in pairs)
    ratio = statistics.median(ratios)
    spread = f"{ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    say(name, f"{ours * 1e3:.0f}", f"{floor * 1e3:.0f}", spread)
    return ratio


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def process(*arguments: str, environ: Mapping[str, str] = {}) -> Callable[[], object]:
    """Return a whole process of this Python, to be run."""
    command = [sys.executable, *arguments]
    return lambda: subprocess.run(
        command, env={**os.environ, **environ}, capture_output=True, check=False
    )


def measure_shell(rounds: int) -> None:
    """Measure the commands that need no jax."""
    floor = process("-c", "import typer, rich")
    # `hint --again`, since past the last hint a fix is tried, which takes jax.
    for line in ("--help", "list", "hint --again", "stats", "review"):
        command = process("-m", "jaxtutor", *line.split())
        command()
        row(line, [(timed(command), timed(floor)) for _ in range(rounds)])
    for words in ("hi", "hint sa", "explain traced", "check --device c"):
        asked = ["jaxtutor", *words.split()]
        tab = {
            "_JAXTUTOR_COMPLETE": "complete_bash",
            "COMP_WORDS": "\n".join(asked),
            "COMP_CWORD": str(len(asked) - 1),
        }
        command = process("-m", "jaxtutor", environ=tab)
        row(f"Tab after {words}", [(timed(command), timed(floor)) for _ in range(rounds)])


def measure_cold(lesson: Lesson, rounds: int) -> None:
    """Measure one check in a process of its own, the solution's answers kept from before."""
    solution = str(lesson.folder / "solution.py")
    command = process("-m", "jaxtutor", "check", solution, "--lesson", lesson.slug)
    floor = process(str(FLOOR), str(lesson.folder), lesson.info.function)
    command(), floor()
    row(lesson.slug, [(timed(command), timed(floor)) for _ in range(rounds)])


def measure_warm(lessons: list[Lesson], rounds: int) -> None:
    """Measure a save with a spare ready, as `start` and `check --watch` serve it."""
    app = App(Options(), stdout=io.StringIO())
    try:
        rows = [(lesson, warm_pairs(app, lesson, rounds)) for lesson in lessons]
    finally:
        app.close()
    ratios = [row(lesson.slug, pairs) for lesson, pairs in rows]
    medians = [statistics.median(ours for ours, _ in pairs) for _, pairs in rows]
    middle = f"{statistics.median(medians) * 1e3:.0f}"
    say("median lesson", middle, "", f"{statistics.median(ratios):.2f}")
    say("worst lesson", f"{max(medians) * 1e3:.0f}", "", f"{max(ratios):.2f}")


def warm_pairs(app: App, lesson: Lesson, rounds: int) -> list[tuple[float, float]]:
    """Take turns: a check with a spare ready, and the floor."""
    path = app.file(lesson)
    write_atomically(path, lesson.solution.encode())
    app.checker.reference(lesson)

    def save_to_drawn() -> None:
        submission = read(path)
        verdict = attempt(app, lesson, submission)
        assert verdict is not None
        show_verdict(app, lesson, path, verdict, submission.text)

    pairs = []
    for _ in range(rounds):
        app.checker.prepare(lesson)
        time.sleep(READY_SECONDS)
        ours = timed(save_to_drawn)
        command = [sys.executable, str(FLOOR), str(lesson.folder), lesson.info.function, "--warm"]
        environment = dict(os.environ)
        if lesson.info.needs.devices > 1:
            environment["JAX_NUM_CPU_DEVICES"] = str(lesson.info.needs.devices)
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        pairs.append((ours, float(done.stdout.splitlines()[-1])))
    return pairs


main()
