"""Defines the result of a gate: a condition that a lesson must meet before it is published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.lessons import LessonError
from jaxtutor.errors import CourseError

GateStatus = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True)
class GateProblem:
    """Why a gate fails: what is wrong, and the lesson's file and line to change."""

    says: str
    file: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Skipped:
    """Why a gate was not checked."""

    why: str


Finding = GateProblem | Skipped | None
"""What a gate found; None if its condition is met."""


@dataclass(frozen=True)
class Gate:
    """One condition on a lesson, and what was found."""

    lesson: Lesson
    name: str
    found: Finding

    @property
    def status(self) -> GateStatus:
        """Return whether the condition is met; a gate that was not checked is not passed."""
        if self.found is None:
            return "passed"
        return "skipped" if isinstance(self.found, Skipped) else "failed"

    @property
    def problem(self) -> GateProblem:
        """Return the problem of a gate that failed; an empty one of any other."""
        return self.found if isinstance(self.found, GateProblem) else GateProblem("")

    @property
    def reason(self) -> str:
        """Return why the gate was not checked."""
        return self.found.why if isinstance(self.found, Skipped) else ""


def guarded(find: Callable[[], Finding]) -> Finding:
    """Run a gate; a file that cannot be read is its problem."""
    try:
        return find()
    except CourseError as error:
        cause = error.__cause__
        if isinstance(cause, LessonError):
            return GateProblem(error.message, cause.file, cause.line)
        return GateProblem(error.message)


def find_line(text: str, *needles: str) -> int | None:
    """Return the first line that contains one of the texts, the first text first."""
    for needle in needles:
        place = text.find(needle) if needle else -1
        if place >= 0:
            return text.count("\n", 0, place) + 1
    return None
