"""Owns the tests of how grades look: lines, marks, what they add up to."""

from __future__ import annotations

import io

import pytest

from jaxtutor.core.data.model import CheckResult
from jaxtutor.core.reporting.grades import Grade
from jaxtutor.display.grades import grades_page
from jaxtutor.display.theme import FANCY, WORDS, Marks, make_console

HELD = CheckResult("import", "The file runs.", "passed")
BROKEN = CheckResult("values", "The answers are right.", "failed")
PASSED = Grade("ann", "clip", "ann/clip.py", "passed", "passed", (HELD, HELD))
RAISED = Grade(
    "bob", "clip", "bob/clip.py", "raised", "TypeError was raised", (HELD, BROKEN), "traced-axis", 3
)
SCAN = Grade("ann", "scan", "ann/scan.py", "failed", "wrong answers", (HELD, BROKEN))
NAMELESS = Grade("cat", "", "cat/main.py", "unnamed", "It is named like no lesson's file.")


def drawn(*grades: Grade, marks: Marks = FANCY, width: int = 80) -> list[str]:
    out = io.StringIO()
    console = make_console(out, marks == WORDS, {"COLUMNS": str(width)})
    for part in grades_page(grades, ["clip", "scan"], marks):
        console.print(part)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_of_one_lesson_each_file_is_a_line() -> None:
    """Mark, learner, verdict, how many checks hold, and the cause with its line."""
    assert [
        "✓  ann  passed  2 of 2",
        "✗  bob  raised  1 of 2  traced-axis at line 3",
        "",
        "1 of 2 files passed, 1 raised.",
    ] == drawn(PASSED, RAISED)


def test_of_many_lessons_each_learner_is_a_line() -> None:
    """Marks in the order of the course; below stands what is behind those that did not pass."""
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
    """Words say what marks do."""
    assert ["ann  1 of 2 passed", "bob  0 of 2 passed"] == drawn(PASSED, SCAN, RAISED, marks=WORDS)[
        :2
    ]


def test_files_without_a_lesson_are_told_apart() -> None:
    """By learner, the first few by name."""
    nameless = [NAMELESS, NAMELESS, NAMELESS, NAMELESS]
    lines = drawn(PASSED, *nameless)

    assert "Not graded, because no lesson has such a name:" in lines
    assert "  cat: cat/main.py, cat/main.py, cat/main.py and 1 more" in lines


def test_what_was_noted_is_told() -> None:
    """Of a pass, too."""
    noted = Grade("ann", "clip", "a.py", "passed", "passed", (HELD,), notes=("the same text",))
    assert "✓  ann  passed  1 of 1  the same text" == drawn(noted)[0]


@pytest.mark.parametrize("width", [30, 40, 250])
def test_lines_fit(width: int) -> None:
    """However wide the terminal is."""
    long = Grade("ann-" * 9, "clip", "a.py", "failed", "wrong " * 40, (HELD,))
    assert max(map(len, drawn(long, RAISED, SCAN, NAMELESS, width=width))) <= width


def test_a_headline_is_shown_and_not_obeyed() -> None:
    """What a submission says reaches the screen as text."""
    loud = Grade("ann", "clip", "a.py", "failed", "\x1b[2J", (HELD,))
    assert "\x1b" not in "".join(drawn(loud))


def test_a_finding_stands_beside_what_failed() -> None:
    """The check that failed is the reason, and what was found is told with it."""
    found = Grade("ann", "clip", "a.py", "failed", "it was traced twice", (HELD,), "drift", 8)
    assert "✗  ann  failed  1 of 1  it was traced twice; drift at line 8" == drawn(found)[0]


def test_without_a_cause_it_is_said_what_was_raised() -> None:
    """With the line, where that is known."""
    raised = Grade("ann", "clip", "a.py", "raised", "KeyError was raised", (HELD,), None, 2)
    assert "✗  ann  raised  1 of 1  KeyError was raised at line 2" == drawn(raised)[0]
