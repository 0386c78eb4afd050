"""Tests grades as data: tables, CSV and JUnit files."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import asdict, replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.grading import junit
from jaxtutor.core.grading.grades import (
    COLUMNS,
    Grade,
    SubmittedFile,
    as_cells,
    as_row,
    count,
    grade_of,
    in_order,
    is_clean,
    missing,
    passed_by_learner,
    regraded,
    ungraded,
)
from jaxtutor.core.reporting.outputs.teaching import GradeStatus

HELD = CheckResult("import", "The file runs.", "passed", 0.5)
BROKEN = CheckResult("values", "The answers are right.", "failed", 0.5, "got 2\nwanted 3")
LATER = CheckResult("leaks", "No tracer is left behind.", "skipped")
PAPER = SubmittedFile("ann", "scan", "ann/scan.py", "", ("late",))


def made(
    learner: str = "ann",
    lesson: str = "scan",
    status: GradeStatus = "passed",
    checks: tuple[CheckResult, ...] = (HELD,),
    **more: object,
) -> Grade:
    return Grade(learner, lesson, f"{learner}/{lesson}.py", status, status, checks, **more)  # type: ignore[arg-type]


def test_a_verdict_becomes_a_grade() -> None:
    """A grade has the verdict's status, checks, cause and line, and the note on the submission."""
    diagnosis = Diagnosis(
        error_class="TypeError",
        message="",
        file="",
        summary="",
        expression="x",
        cause="traced-axis",
        advice="Make it static.",
        span=Span(3, 0, 3, 1),
    )
    verdict = Verdict(
        "raised", "scan", "TypeError was raised", (HELD, BROKEN), 1.0, "cpu:0", "0.12.0"
    )

    grade = grade_of(PAPER, replace(verdict, diagnosis=diagnosis))

    assert ("raised", "traced-axis", 3, "Make it static.", 1, ("late",)) == (
        grade.status,
        grade.cause,
        grade.line,
        grade.advice,
        grade.held,
        grade.notes,
    )


def test_a_row_has_every_column() -> None:
    """The JSON and CSV of a grade have the same columns."""
    assert COLUMNS == tuple(asdict(as_row(made())))


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹢﹣﹦﹫−")  # noqa: RUF001 - the signs that look alike
def test_no_cell_is_a_formula(sign: str) -> None:
    """A name that begins like a formula, in any width, is text in a spreadsheet."""
    assert f"'{sign}1+1" == as_cells(made(f"{sign}1+1"))[0]


def test_a_cell_is_one_line() -> None:
    """A line break in a name does not start a new row."""
    assert "a b" == as_cells(made("a\nb"))[0]


def test_a_cell_is_shown_and_not_obeyed() -> None:
    """Control characters in a cell are made visible."""
    grade = ungraded(SubmittedFile("ann", "double", "a.py", ""), "not_graded", "\x1b[31m\u202e\x9b")

    assert "\u241b[31m\\u202e\\u009b" == as_cells(grade)[COLUMNS.index("headline")]


def test_grades_are_in_the_order_of_the_course() -> None:
    """Grades are ordered by learner, then as in the course, with unknown lessons last."""
    grades = [made("b", "scan"), made("a", ""), made("a", "scan"), made("a", "clip")]
    expected = [("a", "clip"), ("a", "scan"), ("a", ""), ("b", "scan")]
    ordered = in_order(grades, ["clip", "scan"])
    assert expected == [(grade.learner, grade.lesson) for grade in ordered]


def test_of_two_files_the_better_stands() -> None:
    """A learner's lesson is passed if one of its files passed."""
    worse, better = made(status="failed"), made()
    assert {"ann": {"scan": better}} == passed_by_learner([worse, better, worse])


def test_learners_are_in_natural_order() -> None:
    """The second learner comes before the tenth."""
    grades = [made("s10"), made("S9"), made("s2")]
    assert ["s2", "S9", "s10"] == [grade.learner for grade in in_order(grades, ["scan"])]


def test_of_two_files_the_one_with_more_points_stands() -> None:
    """A pass that came late may be worth less than a failure in time."""
    late = made(points=1.0, late=True)
    timely = made(status="failed", points=1.5)
    assert {"ann": {"scan": timely}} == passed_by_learner([late, timely, missing("ann", "scan")])


def test_a_stored_grade_becomes_that_of_another_file() -> None:
    """The verdict stays; learner, time and notes are those of the file."""
    before = made("bob", notes=("late", "tampered"), late=True, id="2")
    file = SubmittedFile("ann", "scan", "ann/new.py", "", ("a copy",), "1")

    assert replace(
        before, learner="ann", file="ann/new.py", notes=("a copy", "tampered"), late=False, id="1"
    ) == regraded(file, before)


def test_a_line_of_a_notebook_has_its_cell() -> None:
    """The line of the joined cells is counted in its own cell, too."""
    diagnosis = Diagnosis(
        error_class=None,
        message="",
        file="",
        summary="",
        expression="",
        cause="leak",
        advice="",
        span=Span(7, 0, 7, 1),
    )
    verdict = Verdict("failed", "scan", "wrong", (BROKEN,), 1.0, "", "", findings=(diagnosis,))
    file = SubmittedFile("ann", "scan", "ann.ipynb", "", cells=(1, 5, 9))

    assert ("line 7 is line 3 of code cell 2",) == grade_of(file, verdict).notes


@pytest.mark.parametrize(
    ("grades", "clean"),
    [
        ([made()], True),
        ([made(), made(status="failed")], False),
        ([made(), made(lesson="", status="unnamed")], True),
        ([made(lesson="", status="unnamed")], False),
        ([made(status="unreadable")], False),
    ],
)
def test_a_file_without_a_lesson_counts_where_there_is_no_other(
    grades: list[Grade], clean: bool
) -> None:
    """A file without a lesson counts only if the learner has no other file."""
    assert clean == is_clean(grades)


def test_statuses_are_counted() -> None:
    """Statuses are counted, the most frequent first."""
    grades = [made(status="failed"), made(), made()]
    assert [("passed", 2), ("failed", 1)] == list(count(grades).items())


# ---------------------------------------------------------------- JUnit


def suite(grade: Grade) -> ElementTree.Element:
    (found,) = ElementTree.fromstring(junit.write([grade]))
    return found


def test_a_suite_has_a_case_for_each_check() -> None:
    """A suite has a case for each check, and counts those that passed, failed or were skipped."""
    found = suite(made(status="failed", checks=(HELD, BROKEN, LATER)))

    assert ("3", "1", "0", "1") == tuple(
        found.attrib[name] for name in ("tests", "failures", "errors", "skipped")
    )
    assert [None, "failure", "skipped"] == [case[0].tag if len(case) else None for case in found]


def test_a_failure_tells_its_story() -> None:
    """A failure has a message, followed by cause, line and advice."""
    grade = made(status="failed", checks=(BROKEN,), cause="key-reused", advice="Split it.", line=4)
    (element,) = suite(grade)[0]

    assert ("got 2", "key-reused") == (element.attrib["message"], element.attrib["type"])
    assert "got 2\nwanted 3\n\nline 4\n\nSplit it." == element.text


@pytest.mark.parametrize(
    ("status", "tag"),
    [
        ("timed_out", "failure"),
        ("crashed", "failure"),
        ("unnamed", "failure"),
        ("lesson_at_fault", "error"),
        ("unreadable", "error"),
        ("not_graded", "error"),
    ],
)
def test_what_no_check_tells_is_reported(status: GradeStatus, tag: str) -> None:
    """A verdict without a failed check is its own case, and an unjudged file is an error."""
    ((element,),) = suite(made(status=status, checks=()))
    assert (tag, status) == (element.tag, element.attrib["message"])


def test_a_crash_in_the_middle_is_reported() -> None:
    """A crash after passed checks is a failure."""
    found = suite(made(status="crashed", checks=(HELD,)))
    assert "1" == found.attrib["failures"]


def test_the_file_is_xml_whatever_is_in_it() -> None:
    """The file is valid XML: control characters are made visible, and invalid ones replaced."""
    grade = ungraded(
        SubmittedFile("a\x1b[31m\ud800", "scan", "f\x00", ""), "not_graded", "\x07<&>\ufffe"
    )
    (case,) = suite(grade)

    assert "\u2407<&>\ufffd" == case[0].text
