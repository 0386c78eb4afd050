"""Chooses the lessons to measure, and writes their files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import Options
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

TEMPORARY = "saved.tmp"


def choose(options: Options, usual: Iterable[str] | None = None) -> list[Lesson]:
    """Return the requested lessons, else the usual ones, else all. Raises UsageError."""
    course = load_course(None)
    if options.lessons:
        return [lesson for name in options.lessons for lesson in _named(course, name)]
    if options.sample:
        return [
            lesson for group in by_chapter(course.lessons) for lesson in group[: options.sample]
        ]
    return list(course.lessons) if usual is None else [course.find(name) for name in usual]


def _named(course: Course, name: str) -> Sequence[Lesson]:
    if name.isdecimal():
        return [lesson for lesson in course.lessons if lesson.number.partition(".")[0] == name]
    return [course.find(name)]


def by_chapter(lessons: Iterable[Lesson]) -> list[list[Lesson]]:
    """Group lessons by chapter, in order."""
    groups: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        groups.setdefault(lesson.chapter_folder, []).append(lesson)
    return list(groups.values())


def file_of(home: Path, lesson: Lesson) -> Path:
    """Return the learner's file of a lesson, where `home` is JAXTUTOR_HOME."""
    return home / "workspace" / lesson.chapter_folder / f"{lesson.folder.name}.py"


def save(file: Path, text: str) -> None:
    """Save as most editors do: write another file and rename it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    other = file.with_name(TEMPORARY)
    other.write_text(text, encoding="utf-8")
    os.replace(other, file)  # noqa: PTH105 - as an editor calls it


def forget_programs(home: Path) -> None:
    """Empty the cache of compiled programs, so that the next check compiles all of them."""
    for path in (home / "data" / "programs").glob("*"):
        path.unlink(missing_ok=True)


def needs(lesson: Lesson) -> dict[str, str]:
    """Return the environment variables that bare jax needs for a lesson."""
    count = lesson.info.needs.devices
    return {"JAX_NUM_CPU_DEVICES": str(count)} if count > 1 else {}
