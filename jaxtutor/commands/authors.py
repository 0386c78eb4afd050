"""Implements the commands of authors: `lesson new` and `lesson test`."""

from __future__ import annotations

from pathlib import Path

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.content.course import Lesson
from jaxtutor.errors import UsageError


def test_lessons(app: App, target: str | None, jobs: int, only: str) -> int:
    """Run the gates on a course, a chapter or a lesson; `jobs` of 0 means one per CPU.

    `only` is a part of the names of the gates to run.
    """
    from jaxtutor.grading.lesson_gates import run_gates
    from jaxtutor.grading.run import processors

    lessons = _lessons_to_test(app, target)
    broken = 0
    reports: list[dict[str, str]] = []
    count = 0
    for gate in run_gates(app.course, lessons, app.checker, jobs or processors(), only):
        count += 1
        broken += not gate.holds
        if app.options.json:
            reports.append({"lesson": gate.lesson, "gate": gate.name, "problem": gate.problem})
        else:
            _print_gate(app, gate.lesson, gate.name, gate.problem)
    if only and not count:
        raise UsageError(
            f"No gate has {only!r} in its name.",
            "Gates are named after files: solution, starter, mistakes/NAME.py, also/NAME.py.",
        )
    if app.options.json:
        app.print_json({"schema": 1, "gates": reports, "broken": broken})
    else:
        failed = "1 gate failed" if broken == 1 else f"{broken} gates failed"
        tested = "1 lesson tested" if len(lessons) == 1 else f"{len(lessons)} lessons tested"
        summary = failed if broken else "all gates hold"
        app.console.print(f"{tested}, {summary}.", style="title")
    return NOT_PASSED if broken else PASSED


def _print_gate(app: App, lesson: str, name: str, problem: str) -> None:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    mark, style = (app.marks.failed, "failed") if problem else (app.marks.passed, "passed")
    app.console.print(Text.assemble((mark, style), f" {lesson}  {name}"))
    if problem:
        app.console.print(Text("    " + visible(problem), overflow="fold"))


def _lessons_to_test(app: App, target: str | None) -> tuple[Lesson, ...]:
    """List the lessons of a folder, the lesson of that name, or all lessons."""
    if target is None:
        return app.course.lessons
    path = Path(target)
    if not path.is_dir():
        return (app.course.find(target),)
    path = path.resolve()
    app.options.course = _course_folder(path)
    chosen = tuple(
        lesson for lesson in app.course.lessons if path in (lesson.folder, *lesson.folder.parents)
    )
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
        return path.parent.parent
    return path.parent if any(path.glob("*/lesson.toml")) else path


def new_lesson(app: App, folder: Path) -> int:
    """Create the files of a new lesson."""
    from jaxtutor.content.course import is_numbered
    from jaxtutor.content.scaffold import around, files
    from jaxtutor.core.data.sanitize import visible
    from jaxtutor.storage import workspace

    place = folder.absolute()
    if place.exists():
        raise UsageError(f"{folder} already exists.", "Choose another name.")
    if not (is_numbered(place.name) and is_numbered(place.parent.name)):
        raise UsageError(
            f"A course cannot find a lesson in a folder named {visible(str(folder))}.",
            "Number both chapter and lesson, for example mycourse/01_basics/02_my_lesson.",
        )
    for path, text in around(place).items():
        workspace.write_atomically(path, text.encode())
    for name, text in files(place.name).items():
        workspace.write_atomically(place / name, text.encode())
    from rich.text import Text

    message = f"Created {folder}. Edit its files, then run: jaxtutor lesson test {folder}"
    app.console.print(Text(message, overflow="fold"))
    return PASSED
