"""Tests the checks of a lesson: changes its solution, and lists the changes that still pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from msgspec import Struct

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.judging.mutants import Mutant, mutants

REASONS = "RIGHT_TOO"
"""The name in `checks.py` of a dict: of a changed line, the reason why the change may pass."""


class Survey(Struct, frozen=True):
    """The number of changes to one solution that were tried, and those that pass its checks.

    `reasons` are those that `checks.py` gives, by the changed line.
    """

    lesson: Lesson
    tried: int
    passing: tuple[Mutant, ...]
    reasons: Mapping[str, str]

    @property
    def unexplained(self) -> tuple[Mutant, ...]:
        """The changes that pass, and for which no reason is given."""
        return tuple(it for it in self.passing if it.after not in self.reasons)

    @property
    def needless(self) -> tuple[str, ...]:
        """The changed lines with a reason, of changes that do not pass or are not made."""
        passing = {it.after for it in self.passing}
        return tuple(line for line in self.reasons if line not in passing)


def survey(lessons: tuple[Lesson, ...], checker: Checker, jobs: int) -> Iterator[Survey]:
    """Check every change to the solution of each lesson, `jobs` at a time.

    Lessons without their libraries are left out.
    """
    checker = replace(checker, stops_early=True)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for lesson in lessons:
            if not lesson.missing:
                found = tuple(mutants(lesson.solution, lesson.starter))
                passes = pool.map(lambda it, lesson=lesson: _passes(lesson, checker, it), found)
                passing = tuple(it for it, passed in zip(found, passes, strict=True) if passed)
                yield Survey(lesson, len(found), passing, read_reasons(lesson.read("checks.py")))


def _passes(lesson: Lesson, checker: Checker, mutant: Mutant) -> bool:
    verdict = checker.check(lesson, mutant.source, lesson.folder / "solution.py")
    return verdict is not None and verdict.status == "passed"


def read_reasons(checks: str) -> dict[str, str]:
    """Return the reasons that the text of a `checks.py` gives; none where it has none."""
    for statement in ast.parse(checks).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys, values=values)):
                if name == REASONS:
                    pairs = zip(map(_text, keys), map(_text, values), strict=True)
                    return {line: reason for line, reason in pairs if line and reason}
    return {}


def _text(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
    return ""
