"""Tests the checks of a lesson: changes its solution, and lists the changes that still pass."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from msgspec import Struct

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.judging.mutants import Mutant, mutants


class Survey(Struct, frozen=True):
    """The number of changes to one solution that were tried, and those that pass its checks."""

    lesson: Lesson
    tried: int
    passing: tuple[Mutant, ...]


def survey(lessons: tuple[Lesson, ...], checker: Checker, jobs: int) -> Iterator[Survey]:
    """Check every change to the solution of each lesson, `jobs` at a time.

    Lessons without their libraries are left out.
    """
    checker = replace(checker, stops_early=True)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for lesson in lessons:
            if not lesson.missing:
                found = tuple(mutants(lesson.solution))
                passes = pool.map(lambda it, lesson=lesson: _passes(lesson, checker, it), found)
                passing = tuple(it for it, passed in zip(found, passes, strict=True) if passed)
                yield Survey(lesson, len(found), passing)


def _passes(lesson: Lesson, checker: Checker, mutant: Mutant) -> bool:
    verdict = checker.check(lesson, mutant.source, lesson.folder / "solution.py")
    return verdict is not None and verdict.status == "passed"
