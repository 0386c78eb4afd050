"""Tests the tables for Gradescope, Canvas and Moodle with readers of their formats.

The readers follow what the programs themselves accept: Canvas' `lib/gradebook_importer.rb`,
Moodle's `mod/assign/feedback/offline/importgradeslib.php`, and the "Output format" of Gradescope's
page "Autograder Specifications".
"""

from __future__ import annotations

import csv
import io
from typing import Literal

import msgspec
import pytest

from jaxtutor.core.data.verdicts import CheckResult
from jaxtutor.core.grading.evidence import Evidence
from jaxtutor.core.grading.exports import as_canvas, as_csv, as_gradescope, as_moodle, by_learner
from jaxtutor.core.grading.grades import COLUMNS, Grade, missing, with_points
from jaxtutor.core.grading.points import Points, equal_points, read_points
from jaxtutor.core.grading.roster import Student, read_roster
from jaxtutor.core.reporting.outputs.teaching import GradeStatus

TABLE = """total = 10
assignment = "Week 3 (987)"
[lessons.clip]
points = 7.5
checks = { import = 2.5, values = 5 }
[lessons.scan]
points = 2.5
"""
POINTS = read_points(TABLE, ["clip", "scan"])
HELD = CheckResult("import", "The file runs.", "passed")
BROKEN = CheckResult("values", "The answers are right.", "failed", detail="for f(3): expected 7")
ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section,Email
"Doe, Jane",12345,s1,jdoe,A,jane@x.org
"=cmd|' /C calc'!A0",12346,s2,+ann@x.org,B,
Bo,,s3,,,
"""


def made(
    learner: str, lesson: str = "clip", status: GradeStatus = "passed", points: Points = POINTS
) -> Grade:
    checks = (HELD,) if status == "passed" else (HELD, BROKEN)
    grade = Grade(learner, lesson, f"{learner}/{lesson}.py", status, status, checks, id="12345")
    return with_points(grade, points)


def students() -> dict[str, Student]:
    return {it.name: it for it in read_roster(ROSTER.encode())}


def cells(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))


# ---------------------------------------------------------------- Canvas


def import_into_canvas(data: bytes) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Read as Canvas does: the points of each assignment, and the grades of each student."""
    header, *rows = cells(data)
    assert "Student" in header[0]
    assert "ID" in header[1]
    student_columns = 3
    if header[2] == "SIS User ID" and header[3] == "SIS Login ID":
        student_columns += 2
    assert "Section" in header[student_columns - 1]
    worth: dict[str, str] = {}
    grades: dict[str, dict[str, str]] = {}
    for row in rows:
        assert len(row) == len(header)
        entries = dict(zip(header[student_columns:], row[student_columns:], strict=True))
        if "Points Possible" in row[0]:
            worth = entries
        else:
            grades[row[1] or row[2] or row[0]] = entries
    return worth, grades


def test_canvas_reads_the_gradebook() -> None:
    """The total fills the assignment that the points name, for everybody on the roster."""
    grades = [made("Doe, Jane"), made("Doe, Jane", "scan", "failed"), missing("Bo", "clip")]
    worth, found = import_into_canvas(as_canvas(by_learner(grades, students()), POINTS))

    assert {"Week 3 (987)": "10"} == worth
    assert {"12345": {"Week 3 (987)": "7.5"}, "s3": {"Week 3 (987)": "0"}} == found


def test_a_lesson_may_be_an_assignment_of_canvas() -> None:
    """Then its points are a column of their own."""
    table = TABLE.replace('assignment = "Week 3 (987)"\n', "") + 'assignment = "Scan (5)"\n'
    points = read_points(table, ["clip", "scan"])
    grades = [made("Doe, Jane"), made("Doe, Jane", "scan")]
    worth, found = import_into_canvas(as_canvas(by_learner(grades, students()), points))

    assert ({"Scan (5)": "2.5"}, {"12345": {"Scan (5)": "2.5"}}) == (worth, found)


def test_without_a_roster_the_files_say_the_number() -> None:
    """Canvas writes the number into the names of a download."""
    _, found = import_into_canvas(as_canvas(by_learner([made("doejane")], {}), POINTS))
    assert ["12345"] == list(found)


def test_a_name_is_not_a_formula_and_an_address_is_unchanged() -> None:
    """A learner may choose a name; addresses identify a learner and come from the roster."""
    name = "=cmd|' /C calc'!A0"
    (row,) = cells(as_canvas(by_learner([made(name)], students()), POINTS))[2:]

    assert (f"'{name}", "12346", "+ann@x.org") == (row[0], row[1], row[3])


# ---------------------------------------------------------------- Moodle


def import_into_moodle(data: bytes) -> dict[str, tuple[float, str]]:
    """Read as Moodle does: the participant's number, the grade and the comment."""
    header, *rows = cells(data)
    at = {name: header.index(name) for name in ("Identifier", "Grade", "Last modified (grade)")}
    comment = header.index("Feedback comments")
    return {
        row[at["Identifier"]].removeprefix("Participant "): (float(row[at["Grade"]]), row[comment])
        for row in rows
    }


def test_moodle_reads_the_worksheet() -> None:
    """Each participant has a grade and a comment."""
    late = msgspec.structs.replace(made("Jane", "scan", "timed_out"), late=True)
    found = import_into_moodle(as_moodle(by_learner([made("Jane"), late], {}), POINTS))

    assert {"12345": (7.5, "clip: passed; scan: timed out (late)")} == found


def test_moodle_gets_no_number_of_another_kind() -> None:
    """A student's number at the university is not the number of a participant."""
    grade = msgspec.structs.replace(made("Bo"), id="s3")
    header, row = cells(as_moodle(by_learner([grade], students()), POINTS))
    found = dict(zip(header, row, strict=True))

    assert ("", "s3", "7.5", "10") == tuple(
        found[name] for name in ("Identifier", "ID number", "Grade", "Maximum grade")
    )


# ---------------------------------------------------------------- Gradescope


class Test(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of `tests`, as the specification has it."""

    __test__ = False

    score: float | None = None
    max_score: float | None = None
    status: Literal["passed", "failed"] | None = None
    name: str = ""
    name_format: str = "text"
    number: str = ""
    output: str = ""
    output_format: Literal["text", "html", "simple_format", "md", "ansi"] = "text"
    tags: list[str] = []
    visibility: Literal["hidden", "after_due_date", "after_published", "visible"] = "visible"


class Results(msgspec.Struct, forbid_unknown_fields=True):
    """`results.json`, as the specification has it."""

    score: float | None = None
    execution_time: int = 0
    output: str = ""
    output_format: Literal["text", "html", "simple_format", "md", "ansi"] = "text"
    test_output_format: str = "text"
    test_name_format: str = "text"
    visibility: Literal["hidden", "after_due_date", "after_published", "visible"] = "visible"
    stdout_visibility: Literal["hidden", "after_due_date", "after_published", "visible"] = "hidden"
    extra_data: dict[str, object] = {}
    tests: list[Test] = []
    leaderboard: list[object] = []


def gradescope(grades: list[Grade], points: Points = POINTS) -> Results:
    return msgspec.json.decode(as_gradescope(grades, points, 3.7), type=Results, strict=True)


def test_gradescope_reads_the_results() -> None:
    """A lesson is a test with its points; the score is their sum."""
    results = gradescope([made("submission"), made("submission", "scan", "failed")])

    assert (7.5, 4, "hidden") == (
        results.score,
        results.execution_time,
        results.stdout_visibility,
    )
    assert [("clip", 7.5, 7.5, "passed"), ("scan", 0.0, 2.5, "failed")] == [
        (it.name, it.score, it.max_score, it.status) for it in results.tests
    ]


def test_gradescope_gets_partial_points_and_no_answers() -> None:
    """The detail of a check may have a hidden answer; the evidence has none."""
    grade = msgspec.structs.replace(
        made("submission", status="failed"),
        evidence=Evidence("values", BROKEN.says, "A hidden call is wrong."),
    )
    (clip, scan) = gradescope([grade]).tests

    assert (2.5, 0) == (clip.score, scan.score)
    assert "A hidden call is wrong." in clip.output
    assert "expected 7" not in clip.output
    assert "Nothing was handed in" in scan.output


def test_gradescope_gets_an_empty_submission() -> None:
    """Without any file there is a score, too."""
    assert 0 == gradescope([], equal_points(["clip"])).score


# ---------------------------------------------------------------- CSV


@pytest.mark.parametrize("name", ['a"b', "a,b", "a\nb", "-a", "אבג", "🎓", "a'b", "a;b", " a "])
def test_odd_names_do_not_break_a_table(name: str) -> None:
    """Each table has one line for the learner, with as many cells as titles."""
    grades = [made(name)]
    learners = by_learner(grades, {})
    for data in (as_csv(grades, True), as_canvas(learners, POINTS), as_moodle(learners, POINTS)):
        rows = cells(data)
        assert {len(rows[0])} == {len(row) for row in rows}
    assert [*COLUMNS, "confined"] == cells(as_csv(grades, True))[0]
