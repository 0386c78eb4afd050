"""Tests the display of grades: lines, marks and totals."""

from __future__ import annotations

import io

import pytest

from jaxtutor.core.data.verdicts import CheckResult
from jaxtutor.core.grading.grades import Grade, missing, with_points
from jaxtutor.core.grading.points import Points, equal_points, read_points
from jaxtutor.display.grades import grades_page
from jaxtutor.display.theme import FANCY, WORDS, Marks, make_console

HELD = CheckResult("import", "The file runs.", "passed")
BROKEN = CheckResult("values", "The answers are right.", "failed")
PASSED = Grade(
    "ann", "clip", "ann/clip.py", "passed", "passed", (HELD, HELD), measured_outside=("values",)
)
RAISED = Grade(
    "bob", "clip", "bob/clip.py", "raised", "TypeError was raised", (HELD, BROKEN), "traced-axis", 3
)
SCAN = Grade("ann", "scan", "ann/scan.py", "failed", "wrong answers", (HELD, BROKEN))
NAMELESS = Grade("cat", "", "cat/main.py", "unnamed", "It is named like no lesson's file.")


def drawn(
    *grades: Grade, marks: Marks = FANCY, width: int = 80, points: Points | None = None
) -> list[str]:
    out = io.StringIO()
    console = make_console(out, marks == WORDS, {"COLUMNS": str(width)})
    for part in grades_page(grades, ["clip", "scan"], marks, points):
        console.print(part)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_of_one_lesson_each_file_is_a_line() -> None:
    """With one lesson, each file is a line: mark, learner, verdict, checks passed and cause."""
    assert [
        "✓  ann  passed  2 of 2  measured outside",
        "✗  bob  raised  1 of 2  traced-axis at line 3",
        "",
        "1 of 2 files passed, 1 raised.",
    ] == drawn(PASSED, RAISED)


def test_of_many_lessons_each_learner_is_a_line() -> None:
    """With many lessons, each learner is a line of marks, with the failures below."""
    assert [
        "ann  ✓ ✗  1 of 2 passed",
        "bob  ✗ ·  0 of 2 passed",
        "",
        "✗  ann  scan  failed  1 of 2  wrong answers",
        "✗  bob  clip  raised  1 of 2  traced-axis at line 3",
        "",
        "1 of 3 files passed, 1 failed, 1 raised.",
    ] == drawn(PASSED, SCAN, RAISED)


def test_read_aloud_there_are_no_marks() -> None:
    """In plain mode, words replace the marks."""
    assert ["ann  1 of 2 passed", "bob  0 of 2 passed"] == drawn(PASSED, SCAN, RAISED, marks=WORDS)[
        :2
    ]


def test_files_without_a_lesson_are_distinguished() -> None:
    """Files without a lesson are listed by learner, the first few by name."""
    nameless = [NAMELESS, NAMELESS, NAMELESS, NAMELESS]
    lines = drawn(PASSED, *nameless)

    assert "Not graded, because no lesson has such a name:" in lines
    assert "  cat: cat/main.py, cat/main.py, cat/main.py and 1 more" in lines


def test_what_was_noted_is_reported() -> None:
    """A note is shown, also for a pass."""
    noted = Grade("ann", "clip", "a.py", "passed", "passed", (HELD,), notes=("the same text",))
    assert "✓  ann  passed  1 of 1  measured inside; the same text" == drawn(noted)[0]


def test_passes_that_were_measured_inside_are_counted() -> None:
    """An instructor sees how many passes rest on the submission's own report, and where."""
    inside = Grade("bob", "scan", "scan.py", "passed", "passed", (HELD,))
    said = "1 of 2 measured inside, in the submission's own process: scan."

    assert said == drawn(PASSED, inside)[-1]
    assert "1 of 1 file passed." == drawn(PASSED)[-1]


def test_who_handed_in_nothing_is_listed_at_the_end() -> None:
    """By lesson; what is missing is not a file."""
    lines = drawn(PASSED, missing("bob", "clip"), missing("cat", "clip"), missing("cat", "scan"))

    assert [
        "ann  ✓ ·  1 of 2 passed",
        "bob  · ·  0 of 2 passed",
        "cat  · ·  0 of 2 passed",
        "",
        "Nothing was handed in for clip by bob, cat.",
        "Nothing was handed in for scan by cat.",
        "",
        "1 of 1 file passed, 3 missing.",
    ] == lines


def test_points_are_shown_where_a_table_has_them() -> None:
    """For each file, and for each learner of all that there are."""
    table = "total = 5\n[lessons.clip]\npoints = 4\n[lessons.scan]\npoints = 1\n"
    points = read_points(table, ["clip", "scan"])
    one, two = with_points(PASSED, points), with_points(SCAN, points)

    assert "✓  ann  passed  2 of 2  4 of 4 points  measured outside" == drawn(one, points=points)[0]
    assert "ann  ✓ ✗  1 of 2 passed  4 of 5 points" == drawn(one, two, points=points)[0]
    assert "points" not in "".join(drawn(one, two, points=equal_points(["clip", "scan"])))


@pytest.mark.parametrize("width", [30, 40, 250])
def test_lines_fit(width: int) -> None:
    """Lines fit every width."""
    long = Grade("ann-" * 9, "clip", "a.py", "failed", "wrong " * 40, (HELD,))
    assert max(map(len, drawn(long, RAISED, SCAN, NAMELESS, width=width))) <= width


def test_a_long_name_is_a_line() -> None:
    """Its middle is left out; every table has it whole."""
    long = Grade("x" * 60_000, "clip", "a.py", "unreadable", "It is encrypted.")
    assert len(drawn(long, width=120)) == len(drawn(RAISED))


def test_a_headline_is_shown_and_not_obeyed() -> None:
    """Escape sequences in a submission's output are shown as text."""
    loud = Grade("ann", "clip", "a.py", "failed", "\x1b[2J", (HELD,))
    assert "\x1b" not in "".join(drawn(loud))


def test_a_finding_stands_beside_what_failed() -> None:
    """A failed check is shown with its finding."""
    found = Grade("ann", "clip", "a.py", "failed", "it was traced twice", (HELD,), "drift", 8)
    assert "✗  ann  failed  1 of 1  it was traced twice; drift at line 8" == drawn(found)[0]


def test_without_a_cause_the_exception_is_reported() -> None:
    """Without a cause, the exception is shown with its line if that is known."""
    raised = Grade("ann", "clip", "a.py", "raised", "KeyError was raised", (HELD,), None, 2)
    assert "✗  ann  raised  1 of 1  KeyError was raised at line 2" == drawn(raised)[0]
