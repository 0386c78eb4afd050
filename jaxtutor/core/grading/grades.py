"""Defines the grade of a learner's file, and tables of grades."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import asdict, replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.grading.evidence import Evidence, find_evidence
from jaxtutor.core.grading.file_names import natural
from jaxtutor.core.grading.points import Points, count_points, decimal, possible
from jaxtutor.core.judging.fault_texts import TAMPERED
from jaxtutor.core.reporting.outputs.teaching import GradeRow, GradeStatus, Measured

STATUSES: tuple[GradeStatus, ...] = get_args(GradeStatus)

FORMULA = ("=", "+", "-", "@", "\N{MINUS SIGN}")
"""What the first character of a formula in a spreadsheet may be."""

TAMPER_NOTE = "tampered"


class SubmittedFile(Struct, frozen=True):
    """A file to grade: a learner's source for a lesson, and where it was found.

    `id` is the learner's number in the LMS or in the roster. `cells` are the lines at which the
    cells of a notebook begin. `broken` is the failure to compile it.
    """

    learner: str
    lesson: str
    file: str
    source: str
    notes: tuple[str, ...] = ()
    id: str = ""
    late: bool = False
    cells: tuple[int, ...] = ()
    broken: Failure | None = None


class Grade(Struct, frozen=True):
    """The result of grading one file.

    `measured_outside` are the checks whose answers were measured in a process that never ran the
    submission; they are measured only if the submission passed otherwise. `evidence` and
    `diagnosis` may be shown to the learner: they have no hidden answers and no edit.
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
    id: str = ""
    late: bool = False
    points: float = 0.0
    points_possible: float = 0.0
    evidence: Evidence | None = None
    diagnosis: Diagnosis | None = None

    @property
    def held(self) -> int:
        """The number of checks that passed."""
        return sum(check.status == "passed" for check in self.checks)

    @property
    def measured(self) -> Measured:
        """Where the answers of a submission that passed were measured; empty for others."""
        if self.status != "passed":
            return ""
        return "outside" if self.measured_outside else "inside"


COLUMNS = GradeRow.__struct_fields__


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
        (*file.notes, *_tampering(verdict), *_cell_of(file, named)),
        id=file.id,
        late=file.late,
        evidence=find_evidence(verdict),
        diagnosis=replace(named, fix=None) if named else None,
    )


def regraded(file: SubmittedFile, grade: Grade) -> Grade:
    """Return the grade of an equal text as that of another file."""
    own = tuple(note for note in grade.notes if note == TAMPER_NOTE)
    notes = (*file.notes, *own, *_cell_of(file, grade.diagnosis))
    return replace(
        grade, learner=file.learner, file=file.file, notes=notes, id=file.id, late=file.late
    )


def _cell_of(file: SubmittedFile, found: Diagnosis | None) -> tuple[str, ...]:
    """Return the note that names the cell of a notebook in which the line is."""
    if not file.cells or found is None or found.span is None:
        return ()
    line = found.span.line
    number = sum(start <= line for start in file.cells)
    return (f"line {line} is line {line - file.cells[number - 1] + 1} of code cell {number}",)


def _tampering(verdict: Verdict) -> tuple[str, ...]:
    """Return the note for a submission that changed or read what measures it."""
    failed = {check.says for check in verdict.checks if check.status == "failed"}
    return (TAMPER_NOTE,) if TAMPERED in failed else ()


def ungraded(file: SubmittedFile, status: GradeStatus, reason: str) -> Grade:
    """Return the grade for a file that has no verdict."""
    return Grade(
        file.learner,
        file.lesson,
        file.file,
        status,
        reason,
        notes=file.notes,
        id=file.id,
        late=file.late,
    )


def missing(learner: str, lesson: str, id: str = "") -> Grade:
    """Return the grade of a learner who handed in nothing; `lesson` is empty if that is for any."""
    return Grade(learner, lesson, "", "missing", "Nothing was handed in.", id=id)


def with_points(grade: Grade, points: Points) -> Grade:
    """Add the points of a grade."""
    passed = grade.status == "passed"
    earned = count_points(points, grade.lesson, passed, grade.checks, grade.late)
    return replace(
        grade,
        points=rounded(earned),
        points_possible=rounded(possible(points, grade.lesson)),
    )


def rounded(points: Fraction) -> float:
    """Round points as they are written."""
    return float(decimal(points))


def in_order(grades: Iterable[Grade], lessons: Sequence[str]) -> list[Grade]:
    """Sort by learner, with `s2` before `s10`, then by the order of the course."""
    position = {slug: index for index, slug in enumerate(lessons)}

    def key(grade: Grade) -> tuple[Any, ...]:
        place = position.get(grade.lesson, len(position))
        return natural(grade.learner), grade.learner, place, natural(grade.file), grade.file

    return sorted(grades, key=key)


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
    """Arrange grades by learner and lesson; of two files, that with more points counts."""
    table: dict[str, dict[str, Grade]] = {}
    for grade in grades:
        row = table.setdefault(grade.learner, {})
        before = row.get(grade.lesson)
        if before is None or _rank(grade) > _rank(before):
            row[grade.lesson] = grade
    return table


def _rank(grade: Grade) -> tuple[float, bool, int, bool]:
    return grade.points, grade.status == "passed", grade.held, grade.status != "missing"


def as_row(grade: Grade) -> GradeRow:
    """Return the grade's columns."""
    return GradeRow(
        learner=grade.learner,
        lesson=grade.lesson,
        file=grade.file,
        status=grade.status,
        checks_passed=grade.held,
        checks=len(grade.checks),
        cause=grade.cause,
        line=grade.line,
        headline=grade.headline,
        seconds=round(grade.seconds, 4),
        notes=grade.notes,
        measured=grade.measured,
        measured_outside=grade.measured_outside,
        id=grade.id,
        late=grade.late,
        points=grade.points,
        points_possible=grade.points_possible,
    )


def as_cells(grade: Grade) -> list[str]:
    """Return the grade's columns as text, safe from being read as formulas by a spreadsheet."""
    row = {
        **asdict(as_row(grade)),
        "notes": "; ".join(grade.notes),
        "measured_outside": " ".join(grade.measured_outside),
        "late": "yes" if grade.late else "no",
        "points": f"{grade.points:g}",
        "points_possible": f"{grade.points_possible:g}",
    }
    return [cell(row[name]) for name in COLUMNS]


def cell(value: Any) -> str:
    """Write a value for a spreadsheet: on one line, and never as a formula."""
    if value is None or isinstance(value, int | float):
        return "" if value is None else str(value)
    text = visible(" ".join(str(value).split()))
    # Full-width and small forms count too: some spreadsheets read them as the plain signs.
    first = unicodedata.normalize("NFKC", text[:1])
    return f"'{text}" if first.startswith(FORMULA) else text
