"""Tests what a pass says of the chapter and of the course, and the first line of a page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.text import Text

from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.learning.progress import Progress
from jaxtutor.display.progress import Canvas, pass_lines, place_text
from jaxtutor.display.theme import FANCY, WORDS
from trials.sample_lessons import INFO, make_lesson

PASSED = Progress(attempts=1, passed_at=datetime(2026, 3, 2, tzinfo=UTC))


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Return a course of two chapters with two lessons and one."""
    (tmp_path / "course.toml").write_text('title = "Small"\n')
    for place in ("01_first/01_one", "01_first/02_two", "02_second/01_three"):
        name = place.rpartition("_")[2]
        make_lesson(
            tmp_path / place, {"lesson.toml": INFO.replace("You can double.", f"About `{name}`.")}
        )
    return load_course(tmp_path)


def said(course: Course, lesson: str, passed: tuple[str, ...], is_first: bool = True) -> list[str]:
    """Return the message after a pass."""
    progress = dict.fromkeys(passed, PASSED)
    found = course.find(lesson)
    lines = pass_lines(course, progress, found, is_first, Canvas(70, FANCY), Text)
    return [line.plain for line in lines]


def test_a_pass_shows_the_chapter(course: Course) -> None:
    """After a pass in the middle of a chapter, its bar and count are shown, and nothing else."""
    assert ["━━━━━━──────  1 of 2  Chapter 1, First"] == said(course, "one", ("one",))


def test_the_end_of_a_chapter_says_what_was_learned(course: Course) -> None:
    """The last pass of a chapter lists what each lesson taught."""
    assert [
        "━━━━━━━━━━━━  2 of 2  Chapter 1, First",
        "",
        "Chapter 1 is complete. What you learned:",
        "✓ About `one`.",
        "✓ About `two`.",
    ] == said(course, "two", ("one", "two"))


def test_the_end_of_a_chapter_is_mentioned_once(course: Course) -> None:
    """Checking a passed lesson again does not complete the chapter again."""
    assert 1 == len(said(course, "two", ("one", "two"), is_first=False))


def test_the_end_of_the_course_is_mentioned(course: Course) -> None:
    """The pass that completes the course says so, whichever lesson was left to the end."""
    lines = said(course, "one", ("one", "two", "three"))

    assert "The course is complete: you passed all 3 lessons." in lines
    assert "You worked through First and Second." in lines


def test_a_pass_can_be_read_aloud(course: Course) -> None:
    """Without drawing, the count is a sentence."""
    lines = pass_lines(course, {"one": PASSED}, course.find("1.1"), True, Canvas(70, WORDS), Text)

    assert ["1 of 2 lessons of chapter 1 passed."] == [line.plain for line in lines]


def test_the_first_line_of_a_page_needs_no_legend(course: Course) -> None:
    """It says where the lesson stands in the course, how hard it is and how long it takes."""
    assert "Lesson 2.1, 3 of 3. Chapter 2: Second. Easy, about 5 minutes." == place_text(
        course, course.find("three")
    )
