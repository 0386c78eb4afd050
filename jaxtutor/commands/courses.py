"""Implements `course add`, `course list`, `course update` and `course remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.core.reporting.outputs.lessons import CourseEntry, CourseOutput

if TYPE_CHECKING:
    from jaxtutor.content.added_courses import AddedCourse


def add(app: App, source: str, name: str, ref: str) -> int:
    """Add the course at an address or in a folder."""
    with app.waiting(f"Reading {source}", lasting=True):
        course = app.added_courses.add(source, name, ref)
    return _report(app, course, f"Added {course.name}{_pinned(course)}. {_next(course)}")


def update(app: App, name: str, ref: str) -> int:
    """Replace one course, or all, by what their addresses have now."""
    courses = app.added_courses
    chosen = [courses.find(name)] if name else courses.all()
    updated = []
    for before in chosen:
        with app.waiting(f"Reading {before.source}", lasting=True):
            after = courses.update(before, ref)
        updated.append(after)
        if not app.options.json:
            _say(app, _change(before, after))
    if app.options.json:
        app.print_json(CourseOutput(courses=tuple(map(_entry, updated))))
    return PASSED


def _change(before: AddedCourse, after: AddedCourse) -> str:
    if not after.commit:
        return f"{after.name} is used in its folder, so there is nothing to update."
    if before.commit == after.commit and before.digest == after.digest:
        return f"{after.name} is up to date{_pinned(after)}."
    asked = " Before its programs run, jaxtutor asks you again if they changed."
    return f"Updated {after.name} from {before.commit[:12]} to {after.commit[:12]}.{asked}"


def list_courses(app: App) -> int:
    """List the courses that were added, and whether each is as it was added."""
    found = app.added_courses.all()
    if app.options.json:
        app.print_json(CourseOutput(courses=tuple(map(_entry, found))))
        return PASSED
    for course in found:
        state = "" if course.state == "sound" else f", {course.state} since it was added"
        _say(app, f"{course.name}: {course.shown_source}{_pinned(course)}{state}")
    if not found:
        _say(app, "No course was added. Add one: jaxtutor course add ADDRESS or FOLDER")
    return PASSED


def remove(app: App, name: str) -> int:
    """Remove a course; the learner's files and progress are kept."""
    course = app.added_courses.find(name)
    app.added_courses.remove(course)
    kept = "Your files and your progress are kept."
    return _report(app, course, f"Removed {course.name}. {kept}")


def _report(app: App, course: AddedCourse, message: str) -> int:
    if app.options.json:
        app.print_json(CourseOutput(courses=(_entry(course),)))
    else:
        _say(app, message)
    return PASSED


def _say(app: App, text: str) -> None:
    from rich.text import Text

    app.console.print(Text(text, overflow="fold"))


def _pinned(course: AddedCourse) -> str:
    return f", at commit {course.commit[:12]}" if course.commit else ""


def _next(course: AddedCourse) -> str:
    return f"Start it: jaxtutor start --course {course.name} --workspace my-{course.name}"


def _entry(course: AddedCourse) -> CourseEntry:
    return CourseEntry(
        name=course.name,
        source=course.shown_source,
        folder=course.folder,
        ref=course.ref,
        commit=course.commit,
        state=course.state,
    )
