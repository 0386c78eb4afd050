"""Writes grades in the formats of Gradescope, Canvas and Moodle, and as CSV.

Each follows what its reader accepts: Gradescope's "Autograder Specifications", "Output format";
Canvas' `lib/gradebook_importer.rb`; Moodle's offline grading worksheet
(`mod/assign/feedback/offline/importgradeslib.php`), whose columns its gradebook import takes, too.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.grading.grades import (
    COLUMNS,
    Grade,
    as_cells,
    cell,
    passed_by_learner,
    rounded,
)
from jaxtutor.core.grading.points import Points, decimal
from jaxtutor.core.grading.roster import Student


class LearnerGrades(Struct, frozen=True):
    """One learner with the grade that counts for each lesson.

    `student` is the roster's row, and `id` the number that the LMS wrote into the file names.
    """

    name: str
    lessons: Mapping[str, Grade]
    student: Student | None = None
    id: str = ""

    def earned(self, lesson: str) -> Fraction:
        """Return the points for a lesson; 0 without a file."""
        grade = self.lessons.get(lesson)
        return Fraction(str(grade.points)) if grade else Fraction(0)

    def total(self, points: Points) -> Fraction:
        """Return the points for all lessons."""
        return sum((self.earned(slug) for slug in points.lessons), Fraction(0))


def by_learner(
    grades: Sequence[Grade], students: Mapping[str, Student]
) -> tuple[LearnerGrades, ...]:
    """Arrange grades by learner, in the order in which the learners come."""
    ids = {grade.learner: grade.id for grade in grades if grade.id}
    return tuple(
        LearnerGrades(name, lessons, student, _lms_id(ids.get(name, ""), student))
        for name, lessons in passed_by_learner(grades).items()
        for student in (students.get(name),)
    )


def _lms_id(id: str, student: Student | None) -> str:
    """Return a grade's id unless the roster is where it came from: that may be of another kind."""
    if student is None or id not in student.keys:
        return id
    return student.id


# ---------------------------------------------------------------- CSV


class _Written(list[str]):
    """What a `csv.writer` writes to."""

    write = list.append


def _table(rows: Iterable[Sequence[str]]) -> bytes:
    written = _Written()
    csv.writer(written).writerows(rows)
    return "".join(written).encode()


def as_csv(grades: Sequence[Grade], is_confined: bool) -> bytes:
    """Return one line for each file."""
    confined = "yes" if is_confined else "no"
    rows = [[*as_cells(grade), confined] for grade in grades]
    return _table([[*COLUMNS, "confined"], *rows])


# ---------------------------------------------------------------- Canvas


def as_canvas(learners: Sequence[LearnerGrades], points: Points) -> bytes:
    """Return a table for "Import" in Canvas' gradebook.

    A column that is called like an assignment, as in `Week 3 (98765)`, fills that assignment.
    """
    columns = list(_columns(points))
    titles = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    worth = ["    Points Possible", "", "", "", "", *(decimal(total) for _, _, total in columns)]
    rows = [
        [*_canvas_identity(it), *(decimal(_of(it, lesson, points)) for _, lesson, _ in columns)]
        for it in learners
    ]
    return _table([[*titles, *(title for title, _, _ in columns)], worth, *rows])


def _canvas_identity(learner: LearnerGrades) -> list[str]:
    student = learner.student or Student(name=learner.name, row=0)
    # Only the name is the learner's choice; a spreadsheet must not read it as a formula.
    return [
        cell(student.name),
        _plain(student.id or learner.id),
        _plain(student.number),
        _plain(student.login),
        cell(student.section),
    ]


def _plain(text: str) -> str:
    return visible(" ".join(text.split()))


def _columns(points: Points) -> Iterator[tuple[str, str, Fraction]]:
    """Yield the title, the lesson and the points of each column; no lesson stands for the total."""
    titled = [(it.assignment, slug, it.points) for slug, it in points.lessons.items()]
    titled = [column for column in titled if column[0]]
    yield from titled
    if points.assignment or not titled:
        yield points.assignment or "jaxtutor", "", points.total


def _of(learner: LearnerGrades, lesson: str, points: Points) -> Fraction:
    return learner.earned(lesson) if lesson else learner.total(points)


# ---------------------------------------------------------------- Moodle


def as_moodle(learners: Sequence[LearnerGrades], points: Points) -> bytes:
    """Return a table for Moodle: an offline grading worksheet, or an import into the gradebook."""
    titles = (
        "Identifier,Full name,Email address,ID number,Username,Grade,Maximum grade,"
        "Last modified (grade),Feedback comments"
    ).split(",")
    extra = list(points.lessons) if len(points.lessons) > 1 else []
    rows = []
    for it in learners:
        student = it.student or Student(name=it.name, row=0)
        rows.append(
            [
                f"Participant {it.id}" if it.id else "",
                cell(student.name),
                _plain(student.email),
                _plain(student.number),
                _plain(student.login),
                decimal(it.total(points)),
                decimal(points.total),
                "",
                cell(_comment(it)),
                *(decimal(it.earned(slug)) for slug in extra),
            ]
        )
    return _table([[*titles, *extra], *rows])


def _comment(learner: LearnerGrades) -> str:
    said = {"timed_out": "timed out", "missing": "nothing handed in"}
    return "; ".join(
        f"{slug}: {said.get(grade.status, grade.status.replace('_', ' '))}"
        + (" (late)" if grade.late else "")
        for slug, grade in learner.lessons.items()
        if slug
    )


# ---------------------------------------------------------------- Gradescope


def as_gradescope(grades: Sequence[Grade], points: Points, seconds: float) -> bytes:
    """Return `results.json` for one submission. What it shows may be shown to the learner."""
    (learner,) = by_learner(grades, {}) or (LearnerGrades("", {}),)
    tests = [test for slug in points.lessons for test in _tests(learner, slug, points)]
    report = {
        "score": rounded(learner.total(points)),
        "execution_time": round(seconds),
        "output": "\n".join(_strays(grades)),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    return json.dumps(report, indent=1).encode() + b"\n"


def _strays(grades: Sequence[Grade]) -> Iterator[str]:
    for grade in grades:
        if grade.status in ("unnamed", "unreadable", "not_graded"):
            yield visible(f"{grade.file}: {grade.headline}")


def _tests(learner: LearnerGrades, lesson: str, points: Points) -> Iterator[dict[str, Any]]:
    """Yield the lesson as one test with its points."""
    grade = learner.lessons.get(lesson)
    status = "passed" if grade is not None and grade.status == "passed" else "failed"
    yield {
        "name": lesson,
        "score": rounded(learner.earned(lesson)),
        "max_score": rounded(points.lessons[lesson].points),
        "status": status,
        "output": visible("\n".join(_outcome(grade))),
        "output_format": "text",
        "visibility": "visible",
    }


def _outcome(grade: Grade | None) -> Iterator[str]:
    if grade is None or grade.status == "missing":
        yield "Nothing was handed in for this lesson."
        return
    if grade.late:
        yield "Handed in late."
    for check in grade.checks:
        yield f"{check.status:8} {check.says}"
    if grade.evidence is not None:
        yield from filter(None, (grade.evidence.problem, grade.evidence.relation))
    elif grade.status != "passed":
        yield grade.headline
    if grade.diagnosis is not None:
        line = f"Line {grade.diagnosis.span.line}: " if grade.diagnosis.span else ""
        yield f"{line}{grade.diagnosis.summary}"
        yield grade.diagnosis.advice
