"""Measures a cold `jaxtutor check` as a whole process, with the solution's answers cached."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.interleave import TUTOR, Take, process, surroundings, take_turns
from benchmarks.lessons import choose, file_of, forget_programs, needs, save
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "cold: `jaxtutor check LESSON`, a whole process",
    floor="a bare script",
    rival="pytest",
    notes=(
        "The script makes the same calls (benchmarks/bare/calls.py); pytest makes them in tests,",
        "without plug-ins, against answers kept before (benchmarks/bare/cases.py). A check finds",
        "what was compiled before, which the others compile again; unseen: nothing was.",
    ),
)
OF_FLOOR, OF_RIVAL = 1.08, 0.6
USUAL = ("immutable-update", "safe-clip-positive", "keep-the-dtype", "make-it-fast")
BARE = ROOT / "benchmarks" / "bare"


def run(options: Options) -> Iterator[Row]:
    """Measure each lesson in three ways in turn."""
    for lesson in choose(options, USUAL):
        environ = surroundings(options.home)
        save(file_of(options.home, lesson), lesson.solution)
        again = process(*TUTOR, "check", lesson.slug, environ=environ)

        def unseen(check: Take = again) -> float:
            forget_programs(options.home)
            return check()

        sides: dict[str, Take] = {
            "again": again,
            "unseen": unseen,
            "floor": bare_script(lesson, lesson.folder / "solution.py", environ),
            "rival": by_pytest(lesson, lesson.folder / "solution.py", environ, options.home),
        }
        taken = take_turns(options.repeats, sides)
        for name, ours in ((lesson.slug, taken["again"]), ("   unseen", taken["unseen"])):
            yield Row(
                name=name,
                ours=ours,
                floor=taken["floor"],
                rival=taken["rival"],
                of_floor=OF_FLOOR,
                of_rival=OF_RIVAL,
            )


def bare_script(lesson: Lesson, file: Path, environ: dict[str, str]) -> Take:
    """Return a function that runs a lesson's bare script on a file as a process."""
    program = [sys.executable, str(BARE / "calls.py")]
    arguments = [str(lesson.folder), lesson.info.function, str(file)]
    return process(*program, *arguments, environ={**environ, **needs(lesson)})


def by_pytest(
    lesson: Lesson, file: Path, environ: dict[str, str], home: Path, good: tuple[int, ...] = (0,)
) -> Take:
    """Return a function that runs a lesson as pytest tests on a file, without plug-ins."""
    answers = home / f"{lesson.slug}.answers"
    cases = os.pathsep.join((str(lesson.folder), lesson.info.function, str(file), str(answers)))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(BARE),
    ]
    bare = {
        **environ,
        **needs(lesson),
        "CASES": cases,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return process(*command, str(BARE / "cases.py"), environ=bare, folder=BARE, good=good)
