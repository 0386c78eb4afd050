"""Owns a grade as data: what became of one learner's file, and the tables made of many."""

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
"""A verdict's, or: no program's text; a name that tells no lesson; nothing could be found out."""

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
)


class SubmittedFile(Struct, frozen=True):
    """What is to be graded: a learner's text for a lesson, and where it was found."""

    learner: str
    lesson: str
    file: str
    source: str
    notes: tuple[str, ...] = ()


class Grade(Struct, frozen=True):
    """What became of one file."""

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

    @property
    def held(self) -> int:
        """How many checks hold."""
        return sum(check.status == "passed" for check in self.checks)


def grade_of(paper: SubmittedFile, verdict: Verdict) -> Grade:
    """Keep of a verdict what an instructor needs."""
    named = verdict.diagnosis or next(iter(verdict.findings), None)
    return Grade(
        paper.learner,
        paper.lesson,
        paper.file,
        verdict.status,
        verdict.headline,
        tuple(replace(check, case=None) for check in verdict.checks),
        named.cause if named else None,
        named.span.line if named and named.span else None,
        named.advice if named else "",
        verdict.seconds,
        verdict.device,
        verdict.jax_version,
        (*paper.notes, *_tampering(verdict)),
    )


def _tampering(verdict: Verdict) -> tuple[str, ...]:
    """Return the note for a submission that changed or read what measures it."""
    failed = {check.says for check in verdict.checks if check.status == "failed"}
    return ("tampered",) if TAMPERED in failed else ()


def ungraded(paper: SubmittedFile, status: GradeStatus, reason: str) -> Grade:
    """Say of a file that it got no verdict, and why."""
    return Grade(paper.learner, paper.lesson, paper.file, status, reason, notes=paper.notes)


def in_order(grades: Iterable[Grade], lessons: Sequence[str]) -> list[Grade]:
    """Sort by learner, then in the order of the course."""
    place = {slug: index for index, slug in enumerate(lessons)}
    return sorted(
        grades, key=lambda grade: (grade.learner, place.get(grade.lesson, len(place)), grade.file)
    )


def count(grades: Iterable[Grade]) -> dict[str, int]:
    """Count the grades of each status, the most frequent first."""
    return dict(Counter(grade.status for grade in grades).most_common())


def is_clean(grades: Sequence[Grade]) -> bool:
    """Tell whether all passed; a file named like no lesson counts if its learner has no other."""
    named = {grade.learner for grade in grades if grade.status != "unnamed"}
    return all(
        grade.status == "passed" or (grade.status == "unnamed" and grade.learner in named)
        for grade in grades
    )


def passed_by_learner(grades: Iterable[Grade]) -> Mapping[str, Mapping[str, Grade]]:
    """Arrange grades by learner and lesson; of two files the better one stands."""
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
    """Lay a grade out by the names of COLUMNS."""
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
    }


def as_cells(grade: Grade) -> list[str]:
    """Lay a grade out as text for a spreadsheet, which must take no cell for a formula."""
    row = {**as_row(grade), "notes": "; ".join(grade.notes)}
    return [_cell(row[name]) for name in COLUMNS]


def _cell(value: Any) -> str:
    if value is None or isinstance(value, int | float):
        return "" if value is None else str(value)
    text = visible(" ".join(str(value).split()))
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
