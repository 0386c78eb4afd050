"""Defines the grade of a learner's file, and tables of grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.model import CheckResult, Verdict, VerdictStatus
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.judging.judge import TAMPERED

GradeStatus = VerdictStatus | Literal["unreadable", "unnamed", "not_graded"]
"""A verdict's status, or why there is none: not a readable program, no lesson of that name, or
an error."""

STATUSES: tuple[GradeStatus, ...] = (
    *get_args(VerdictStatus),
    "unreadable",
    "unnamed",
    "not_graded",
)

COLUMNS = (
    "learner",
    "lesson",
    "file",
    "status",
    "checks_passed",
    "checks",
    "cause",
    "line",
    "headline",
    "seconds",
    "notes",
    "measured",
    "measured_outside",
)


OUTSIDE, INSIDE = "outside", "inside"
"""Measured in a process that never ran the submission, or in the submission's own."""


class SubmittedFile(Struct, frozen=True):
    """A file to grade: a learner's source for a lesson, and where it was found."""

    learner: str
    lesson: str
    file: str
    source: str
    notes: tuple[str, ...] = ()


class Grade(Struct, frozen=True):
    """The result of grading one file.

    `measured_outside` are the checks whose answers were measured in a process that never ran the
    submission; they are measured only if the submission passed otherwise.
    """

    learner: str
    lesson: str
    file: str
    status: GradeStatus
    headline: str
    checks: tuple[CheckResult, ...] = ()
    cause: str | None = None
    line: int | None = None
    advice: str = ""
    seconds: float = 0.0
    device: str = ""
    jax_version: str = ""
    notes: tuple[str, ...] = ()
    measured_outside: tuple[str, ...] = ()

    @property
    def held(self) -> int:
        """The number of checks that passed."""
        return sum(check.status == "passed" for check in self.checks)

    @property
    def measured(self) -> str:
        """Where the answers of a submission that passed were measured; empty for others."""
        if self.status != "passed":
            return ""
        return OUTSIDE if self.measured_outside else INSIDE


def grade_of(file: SubmittedFile, verdict: Verdict) -> Grade:
    """Extract from a verdict what an instructor needs."""
    named = verdict.diagnosis or next(iter(verdict.findings), None)
    return Grade(
        file.learner,
        file.lesson,
        file.file,
        verdict.status,
        verdict.headline,
        tuple(replace(check, case=None) for check in verdict.checks),
        named.cause if named else None,
        named.span.line if named and named.span else None,
        named.advice if named else "",
        verdict.seconds,
        verdict.device,
        verdict.jax_version,
        (*file.notes, *_tampering(verdict)),
    )


def _tampering(verdict: Verdict) -> tuple[str, ...]:
    """Return the note for a submission that changed or read what measures it."""
    failed = {check.says for check in verdict.checks if check.status == "failed"}
    return ("tampered",) if TAMPERED in failed else ()


def ungraded(file: SubmittedFile, status: GradeStatus, reason: str) -> Grade:
    """Return the grade for a file that has no verdict."""
    return Grade(file.learner, file.lesson, file.file, status, reason, notes=file.notes)


def in_order(grades: Iterable[Grade], lessons: Sequence[str]) -> list[Grade]:
    """Sort by learner, then by the order of the course."""
    position = {slug: index for index, slug in enumerate(lessons)}
    return sorted(
        grades,
        key=lambda grade: (grade.learner, position.get(grade.lesson, len(position)), grade.file),
    )


def count_measured(grades: Iterable[Grade]) -> dict[str, int]:
    """Count the passed grades by where they were measured."""
    return dict(Counter(grade.measured for grade in grades if grade.measured))


def count(grades: Iterable[Grade]) -> dict[str, int]:
    """Count the grades by status, the most frequent first."""
    return dict(Counter(grade.status for grade in grades).most_common())


def is_clean(grades: Sequence[Grade]) -> bool:
    """Return whether all passed; a file of no lesson counts only if its learner has no other."""
    named = {grade.learner for grade in grades if grade.status != "unnamed"}
    return all(
        grade.status == "passed" or (grade.status == "unnamed" and grade.learner in named)
        for grade in grades
    )


def passed_by_learner(grades: Iterable[Grade]) -> Mapping[str, Mapping[str, Grade]]:
    """Arrange grades by learner and lesson; of two files, the better grade counts."""
    table: dict[str, dict[str, Grade]] = {}
    for grade in grades:
        row = table.setdefault(grade.learner, {})
        before = row.get(grade.lesson)
        if before is None or (grade.status == "passed", grade.held) > (
            before.status == "passed",
            before.held,
        ):
            row[grade.lesson] = grade
    return table


def as_row(grade: Grade) -> dict[str, Any]:
    """Return the grade's columns as a dict of JSON values."""
    return {
        "learner": grade.learner,
        "lesson": grade.lesson,
        "file": grade.file,
        "status": grade.status,
        "checks_passed": grade.held,
        "checks": len(grade.checks),
        "cause": grade.cause,
        "line": grade.line,
        "headline": grade.headline,
        "seconds": round(grade.seconds, 4),
        "notes": list(grade.notes),
        "measured": grade.measured,
        "measured_outside": list(grade.measured_outside),
    }


def as_cells(grade: Grade) -> list[str]:
    """Return the grade's columns as text, safe from being read as formulas by a spreadsheet."""
    row = {
        **as_row(grade),
        "notes": "; ".join(grade.notes),
        "measured_outside": " ".join(grade.measured_outside),
    }
    return [_cell(row[name]) for name in COLUMNS]


def _cell(value: Any) -> str:
    if value is None or isinstance(value, int | float):
        return "" if value is None else str(value)
    text = visible(" ".join(str(value).split()))
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
