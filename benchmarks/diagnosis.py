"""Measures the time until a failure or a silent mistake is explained, and until a fix is tried."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.interleave import (
    TUTOR,
    compare,
    process,
    processor_time,
    surroundings,
    take_turns,
)
from benchmarks.lessons import choose, file_of, save
from benchmarks.screens import Screen
from benchmarks.warm import Calls, calm, open_session, save_to
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "diagnosis: until the first answer, and until a fix is verified",
    floor="plain Python",
    notes=(
        "`diagnose`: a whole process, against `python SCRIPT`. A save: of a lesson's starter,",
        "changed, in `start`, against the same calls in a warm process. A silent program of two",
        "seconds (benchmarks/bare/silent.py): until it has run, watched; then until the verdict,",
        "and from there until its fix has been tried. The processor time is of all processes.",
    ),
)
PROGRAMS = ("numpy_call_on_tracer__alias", "traced_shape_arg__helper")
SILENT = ROOT / "benchmarks" / "bare" / "silent.py"
OF_VERDICT = 2.5
LESSON = "static-shape-maths"
FAILED = "✗ ".encode()


def run(options: Options) -> Iterator[Row]:
    """Measure scripts that raise, one that is silent, then saves."""
    for program in PROGRAMS:
        yield from _script(program, options)
    yield from _silent(options)
    for lesson in choose(options, (LESSON,)):
        yield from _session(lesson, options)


def _script(program: str, options: Options) -> Iterator[Row]:
    path = str(ROOT / "tests" / "programs" / f"{program}.py")
    environ = surroundings(options.home)
    ends: list[float] = []

    def diagnose() -> float:
        screen = Screen([*TUTOR, "diagnose", path], environ)
        answered = screen.until(FAILED, b"\n") - screen.started
        ends.append((screen.take_to_end() - screen.started) * 1e3)
        assert b"Verified fix" in screen.seen, f"no fix of {program} was verified"
        screen.close()
        return answered * 1e3

    floor = process(sys.executable, path, environ=environ, good=(1,))
    taken = compare(options.repeats, {"ours": diagnose, "floor": floor})
    name = program.partition("__")[0].replace("_", "-")
    yield Row(name=name, **taken)
    yield Row(name=f"{name}: fix", ours=ends[1:], floor=taken["floor"])


def _silent(options: Options) -> Iterator[Row]:
    """Measure the phases of a diagnosis of a program that raises nothing."""
    environ = surroundings(options.home)
    phases: list[tuple[float, float]] = []

    def diagnose() -> float:
        screen = Screen([*TUTOR, "diagnose", str(SILENT)], environ)
        ran = screen.until(b"trained")
        said = screen.until(b"trained", FAILED, b"\n")
        ended = screen.take_to_end()
        assert b"Suggested fix" in screen.seen, "no fix of the silent program was tried"
        screen.close()
        phases.append(((said - screen.started) * 1e3, (ended - said) * 1e3))
        return (ran - screen.started) * 1e3

    plain = [sys.executable, str(SILENT)]
    sides = {
        "ours": diagnose,
        "floor": process(*plain, environ=environ),
        "once": processor_time(
            *TUTOR, "diagnose", "--once", str(SILENT), environ=environ, good=(1,)
        ),
        "all": processor_time(*TUTOR, "diagnose", str(SILENT), environ=environ, good=(1,)),
        "plain": processor_time(*plain, environ=environ),
    }
    taken = take_turns(options.repeats, sides)
    floor = taken["floor"]
    verdicts, fixes = zip(*phases[1:], strict=True)
    yield Row(name="silent: run, watched", ours=taken["ours"], floor=floor)
    yield Row(name="silent: verdict", ours=verdicts, floor=floor, of_floor=OF_VERDICT)
    yield Row(name="silent: its fix, more", ours=fixes, floor=floor)
    for name, side in (("verdict", "once"), ("with its fix", "all")):
        yield Row(name=f"processor: {name}", ours=taken[side], floor=taken["plain"])


def _session(lesson: Lesson, options: Options) -> Iterator[Row]:
    """Measure a failing save with all hints shown, so that a fix is tried after the verdict."""
    home = options.home / "session"
    file = file_of(home, lesson)
    process(*TUTOR, "hint", lesson.slug, "--all", environ=surroundings(home))()
    save(file, lesson.starter)
    fixes: list[float] = []
    with (
        closing(open_session(home, lesson)) as session,
        closing(Calls(lesson, lesson.folder / "starter.py")) as calls,
    ):

        def answer() -> float:
            taken = save_to(session, file, lesson.starter, FAILED)
            started = session.until(FAILED) - taken / 1e3
            fixes.append((session.until(b"verified fix was found") - started) * 1e3)
            return taken

        taken = compare(
            options.repeats,
            {"ours": answer, "floor": calls.take},
            before=lambda: calm(session, calls),
        )
    yield Row(name=f"save: {lesson.slug}", **taken)
    yield Row(name="save: its fix", ours=fixes[1:], floor=taken["floor"])
