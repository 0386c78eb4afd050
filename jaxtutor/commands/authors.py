"""Implements the commands of authors: `lesson new` and `lesson test`."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.content.lesson import PROJECTS, Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.errors import UsageError
from jaxtutor.watch.folder_watcher import read_times, wait_for_change

if TYPE_CHECKING:
    from jaxtutor.core.grading.sharding import Shard
    from jaxtutor.core.reporting.outputs.teaching import (
        ChangedSolution,
        GateEntry,
        LessonTestOutput,
    )
    from jaxtutor.grading.gate import Gate
    from jaxtutor.grading.mutation import Survey

PAGES = ("chapter.md", "project.toml", "project.md")
"""The files of a chapter or a project."""


def read_part(text: str) -> Shard | None:
    """Parse the option `--shard`; None if it was not given. Raises UsageError."""
    if not text:
        return None
    from jaxtutor.core.grading.sharding import read_shard

    shard = read_shard(text)
    if shard is None:
        raise UsageError(
            f"Invalid value {text!r} for --shard.",
            "Give K/N with K from 1 to N: 2/3 is the second of three shards.",
        )
    return shard


def test_lessons(
    app: App,
    target: str | None,
    jobs: int,
    only: str,
    watch: bool,
    shard: Shard | None,
    resume: bool,
) -> int:
    """Run the gates on a course, a chapter or a lesson; `jobs` of 0 means one per CPU.

    `only` is a part of the names of the gates to run. With `watch`, the gates of a lesson run again
    whenever one of its files changes, until interrupted. With `resume`, lessons that passed before
    are skipped.
    """
    lessons = _lessons_in(shard, _lessons_to_test(app, target))
    if not watch:
        return _run_gates(app, lessons, jobs, only, resume)
    app.trust_course()
    folders = {lesson.folder for lesson in lessons}
    folders |= {folder.parent / name for folder in folders for name in PAGES}
    if not app.options.json:
        hint = f"Watching {len(lessons)} lessons. Each is tested on every change. Ctrl-C stops."
        app.console.print(hint.replace("1 lessons", "1 lesson"), style="quiet")
    seen = read_times(folders)
    _run_gates(app, lessons, jobs, only)
    while True:
        seen, changed = wait_for_change(folders, seen)
        app.course = load_course(app.options.course)
        every = app.course.every_lesson
        again = tuple(it for it in every if _is_within(it, changed))
        if again:
            _run_gates(app, again, jobs, only)


def _is_within(lesson: Lesson, changed: set[Path]) -> bool:
    """Return whether one of the files is the lesson's, its chapter's or an earlier step's."""
    pages = [lesson.folder.parent / name for name in PAGES]
    folders = [step.folder for step in (*lesson.earlier, lesson)]
    return any(
        path in pages or any(folder in path.parents for folder in folders) for path in changed
    )


def _lessons_in(shard: Shard | None, lessons: tuple[Lesson, ...]) -> tuple[Lesson, ...]:
    """Return the lessons of a shard, or all of them. Raises UsageError for an empty shard."""
    if shard is None:
        return lessons
    from jaxtutor.grading.lesson_shards import lessons_in

    chosen = lessons_in(shard, lessons)
    if not chosen:
        raise UsageError(f"Shard {shard.number}/{shard.count} has no lessons.", "Use fewer shards.")
    return chosen


def _run_gates(
    app: App, lessons: tuple[Lesson, ...], jobs: int, only: str, resume: bool = False
) -> int:
    from jaxtutor.grading.lesson_gates import run_gates
    from jaxtutor.grading.passed_lessons import PassedLessons
    from jaxtutor.grading.run import processors
    from jaxtutor.processes.runner import Runner
    from jaxtutor.processes.templates import Templates

    gates: list[Gate] = []
    began = _processor_seconds()
    runner = Runner(templates=Templates())
    with closing(runner):
        checker = replace(app.checker, runner=runner)
        passed = PassedLessons(app.workspace.gates, app.course, checker.device)
        known = tuple(it for it in lessons if passed.has(it))  # of the files as they are now
        before = known if resume else ()
        lessons = tuple(it for it in lessons if it not in before)
        if before and not app.options.json:
            _print_skipped(app, before)
        ran = run_gates(app.course, lessons, checker, jobs or processors(), only)
        for lesson, of_lesson in groupby(ran, key=lambda gate: gate.lesson):
            found = []
            for gate in of_lesson:
                found.append(gate)
                if not app.options.json:
                    _print_gate(app, gate)
            if not only and all(gate.status == "passed" for gate in found):
                passed.add(lesson)
            gates += found
    if only and not gates:
        raise UsageError(
            f"No gate has {only!r} in its name.",
            "Gates are named after files: solution, starter, mistakes/NAME.py, also/NAME.py.",
        )
    broken = sum(gate.status == "failed" for gate in gates)
    if app.options.json:
        app.print_json(_tested(gates, before, _processor_seconds() - began))
    else:
        app.console.print(_summary(len(lessons), len(before), gates, broken), style="title")
    return NOT_PASSED if broken else PASSED


def _processor_seconds() -> float:
    """Return the processor time of this process and of all that it started and that has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _tested(
    gates: list[Gate], before: tuple[Lesson, ...], processor_seconds: float
) -> LessonTestOutput:
    import platform

    from jaxtutor.core.reporting.outputs.teaching import LessonTestOutput
    from jaxtutor.system.packages import installed_version

    return LessonTestOutput(
        gates=tuple(map(_entry, gates)),
        broken=sum(gate.status == "failed" for gate in gates),
        passed_before=tuple(lesson.slug for lesson in before),
        processor_seconds=round(processor_seconds, 2),
        python=platform.python_version(),
        jax_version=installed_version("jax"),
    )


def _print_skipped(app: App, lessons: tuple[Lesson, ...]) -> None:
    from rich.text import Text

    slugs = ", ".join(lesson.slug for lesson in lessons)
    says = f"Passed before with the same files, and not tested again: {slugs}."
    app.console.print(Text(says, "quiet", overflow="fold"))


def try_mutants(app: App, target: str | None, jobs: int, shard: Shard | None = None) -> int:
    """Change the solutions in one place at a time, and list the changes that still pass.

    They are for the author to read: a case may be missing, or the change may be right too.
    """
    from jaxtutor.grading.mutation import survey
    from jaxtutor.grading.run import processors
    from jaxtutor.processes.runner import Runner
    from jaxtutor.processes.templates import Templates

    lessons = _lessons_in(shard, _lessons_to_test(app, target))
    surveys: list[Survey] = []
    with closing(Runner(templates=Templates())) as runner:
        checker = replace(app.checker, runner=runner)
        for found in survey(lessons, checker, jobs or processors()):
            surveys.append(found)
            if not app.options.json:
                _print_survey(app, found)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.teaching import MutantsOutput

        app.print_json(MutantsOutput(solutions=tuple(map(_changed_solution, surveys))))
    else:
        app.console.print(_summarize_surveys(surveys), style="title")
    return PASSED


def _summarize_surveys(surveys: list[Survey]) -> str:
    tried, passing = sum(it.tried for it in surveys), sum(len(it.passing) for it in surveys)
    known = passing - sum(len(it.unexplained) for it in surveys)
    reasons, each = (f", {known} with a reason", "each of the others") if known else ("", "each")
    return (
        f"Changes that pass: {passing} of {tried}{reasons}. For {each}, a case may be missing from "
        "the checks, or the change is right too."
    )


def _print_survey(app: App, found: Survey) -> None:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    known = len(found.passing) - len(found.unexplained)
    says = f"changes that pass: {len(found.passing)} of {found.tried}"
    says += f", {known} with a reason" if known else ""
    app.console.print(f"{found.lesson.slug}: {says}", markup=False)
    for line in found.needless:
        needless = f"    No change that passes reads as the line in checks.py: {visible(line)}"
        app.console.print(Text(needless, overflow="fold"))
    for mutant in found.unexplained:
        lines = (f"    {mutant.line}: {mutant.before}", f"    {mutant.line}: {mutant.after}")
        for line, style in zip(lines, ("removed", "added"), strict=True):
            app.console.print(Text(visible(line), style, overflow="fold"))


def _changed_solution(found: Survey) -> ChangedSolution:
    from jaxtutor.core.reporting.outputs.teaching import ChangedSolution, PassingChange

    passing = tuple(
        PassingChange(
            line=it.line,
            before=it.before,
            after=it.after,
            source=it.source,
            reason=found.reasons.get(it.after, ""),
        )
        for it in found.passing
    )
    return ChangedSolution(lesson=found.lesson.slug, tried=found.tried, passing=passing)


def _entry(gate: Gate) -> GateEntry:
    from jaxtutor.core.reporting.outputs.teaching import GateEntry

    file = _path(gate)
    return GateEntry(
        lesson=gate.lesson.slug,
        gate=gate.name,
        status=gate.status,
        problem=gate.problem.says,
        file=str(file) if file else None,
        line=gate.problem.line,
        reason=gate.reason,
    )


def _summary(lessons: int, before: int, gates: list[Gate], broken: int) -> str:
    tested = "1 lesson tested" if lessons == 1 else f"{lessons} lessons tested"
    tested += f", {before} passed before" if before else ""
    skipped = sum(gate.status == "skipped" for gate in gates)
    failed = "1 gate failed" if broken == 1 else f"{broken} gates failed"
    parts = [tested, failed] if broken else [tested]
    if skipped:
        parts.append(f"{skipped} skipped")
    return ", ".join(parts if broken or skipped else [tested, "all gates hold"]) + "."


def _path(gate: Gate) -> Path | None:
    """Return the file to change, relative to the working directory if it is inside."""
    if not gate.problem.file:
        return None
    path = Path(os.path.normpath(gate.lesson.folder / gate.problem.file))
    with suppress(ValueError, OSError):
        return path.relative_to(Path.cwd())
    return path


def _print_gate(app: App, gate: Gate) -> None:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    signs = {
        "passed": (app.marks.passed, "passed"),
        "failed": (app.marks.failed, "failed"),
        "skipped": ("skipped:" if app.options.plain else app.marks.skipped, "quiet"),
    }
    skipped = "" if app.options.plain else "skipped, "
    reason = f": {skipped}{visible(gate.reason)}" if gate.reason else ""
    app.console.print(
        Text.assemble(signs[gate.status], f" {gate.lesson.slug}  {gate.name}{reason}")
    )
    problem = gate.problem
    if problem.says:
        line = f":{problem.line}" if problem.line else ""
        where = f"{_path(gate)}{line}: " if problem.file else ""
        app.console.print(Text("    " + visible(where + problem.says), overflow="fold"))


def _lessons_to_test(app: App, target: str | None) -> tuple[Lesson, ...]:
    """List the lessons of a folder, the lesson of that name, or all lessons."""
    if target is None:
        return app.course.every_lesson
    path = Path(target)
    if not path.is_dir():
        if path.exists() or os.sep in target:
            raise UsageError(
                f"{target} is not a folder.", "Give the folder of a course, chapter or lesson."
            )
        project = app.course.find_project(target)
        return project.lessons if project else (app.course.find(target),)
    path = path.resolve()
    app.options.course = _course_folder(path)
    every = app.course.every_lesson
    chosen = tuple(it for it in every if path in (it.folder, *it.folder.parents))
    if not chosen:
        raise UsageError(
            f"{target} contains no lessons.",
            "Give the folder of a course, a chapter or a lesson.",
        )
    return chosen


def _course_folder(path: Path) -> Path:
    """Find the course that a folder belongs to: by its course.toml, otherwise by its contents."""
    marked = [folder for folder in (path, *path.parents) if (folder / "course.toml").exists()]
    if marked:
        return marked[0]
    if (path / "lesson.toml").exists():
        path = path.parent
    elif not any(path.glob("*/lesson.toml")):
        return path.parent if path.name == PROJECTS else path
    return path.parent.parent if path.parent.name == PROJECTS else path.parent


FIRST_STEP = "01_first_step"


def new_lesson(app: App, folder: Path, is_project: bool = False) -> int:
    """Create the files of a new lesson, or of a project and its first step."""
    from jaxtutor.content.loading import is_numbered
    from jaxtutor.content.scaffold import around, files, is_step, make_room
    from jaxtutor.core.data.sanitize import visible
    from jaxtutor.storage import workspace

    place = folder.absolute()
    if place.exists():
        raise UsageError(f"{folder} already exists.", "Choose another name.")
    if is_project:
        place = place / FIRST_STEP
        if not (is_step(place) and is_numbered(place.parent.name)):
            raise UsageError(
                f"A course cannot find a project in a folder named {visible(str(folder))}.",
                "Number it, in the folder projects, for example mycourse/projects/01_my_program.",
            )
    if not (is_numbered(place.name) and is_numbered(place.parent.name)):
        raise UsageError(
            f"A course cannot find a lesson in a folder named {visible(str(folder))}.",
            "Number both chapter and lesson, for example mycourse/01_basics/02_my_lesson.",
        )
    moved = 0 if is_step(place) or not place.parent.exists() else make_room(place)
    for path, text in around(place).items():
        workspace.write_atomically(path, text.encode())
    for name, text in files(place).items():
        workspace.write_atomically(place / name, text.encode())
    from rich.text import Text

    later = {0: "", 1: " The lesson after it has a new number."}.get(
        moved, f" The {moved} lessons after it have new numbers."
    )
    message = f"Created {folder}.{later} Edit its files, then run: jaxtutor lesson test {folder}"
    app.console.print(Text(message, overflow="fold"))
    return PASSED
