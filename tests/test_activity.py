"""Tests the progress displays: what they count, and how they draw or describe it."""

from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len

from jaxtutor.cli import run
from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.learning.activity import (
    count_chapters,
    lay_out_weeks,
    month_starts,
    shade,
    spread,
    streak,
)
from jaxtutor.core.learning.progress import Progress
from jaxtutor.display.progress import Canvas, Sums, course_lines, stats_lines
from jaxtutor.display.theme import ASCII, FANCY, WORDS, Marks
from jaxtutor.storage.store import Store
from json_page import broken_promises
from trials.sample_lessons import make_lesson

TODAY = date(2026, 5, 6)  # a Wednesday


# ---------------------------------------------------------------- counting


def test_counts_of_chapters() -> None:
    """Passed lessons and attempts are added up by chapter."""
    chapters = [(1, "One", ["a", "b"]), (2, "Two", ["c"])]
    counts = count_chapters(chapters, {"a": 2, "c": 1}, {"a"})
    assert [(2, 1, 2), (1, 0, 1)] == [(it.lessons, it.passed, it.attempts) for it in counts]


def test_steps_hold_every_count() -> None:
    """Every count belongs to exactly one step."""
    assert (("1", 1), ("2", 0), ("3", 0), ("4 to 5", 1), ("6 to 10", 1), ("11 or more", 2)) == (
        spread([1, 5, 6, 11, 300])
    )


@pytest.mark.parametrize(
    ("ago", "expected"), [([], 0), ([0], 1), ([1], 1), ([0, 1, 2, 4], 3), ([1, 2], 2), ([2], 0)]
)
def test_days_in_a_row(ago: list[int], expected: int) -> None:
    """A streak ends today, or yesterday as long as today has no attempt."""
    assert expected == streak([TODAY - timedelta(days) for days in ago], TODAY)


def test_weeks_are_laid_out_by_weekday() -> None:
    """Monday is the first row, today is in the last column, and future days are empty."""
    grid = lay_out_weeks({TODAY: 2, TODAY - timedelta(9): 1}, TODAY, 2)
    assert (1, 0) == grid[0]
    assert (0, 2) == grid[2]
    assert (0, None) == grid[3]


def test_a_month_stands_where_it_begins() -> None:
    """A month's name is above the week that contains its first day."""
    assert [(0, 4), (4, 5)] == [(week, day.month) for week, day in month_starts(TODAY, 6)]


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 1), (5, 2), (10, 4)])
def test_shades(count: int, expected: int) -> None:
    """A single attempt is visible, and the busiest day is darkest."""
    assert expected == shade(count, 10, 5)


# ---------------------------------------------------------------- drawing


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Return a course of fourteen chapters and a hundred lessons, with long titles and a fault."""
    for chapter in range(14):
        folder = tmp_path / f"{chapter + 1:02}_a_chapter_named_{chapter}"
        for number in range(7 + (chapter < 2)):
            make_lesson(folder / f"{number + 1:02}_lesson_with_a_long_name_{chapter}_{number}", {})
        (folder / "chapter.md").write_text(f"# Chapter {chapter} \u65e5\u672c \x1b[31m title\n")
    (
        tmp_path / "02_a_chapter_named_1" / "01_lesson_with_a_long_name_1_0" / "lesson.toml"
    ).write_text("x")
    return load_course(tmp_path)


def draw(course: Course, width: int, marks: Marks) -> list[str]:
    slug = course.lessons[3].slug
    progress = {
        slug: Progress(attempts=12),
        course.lessons[0].slug: Progress(1, 0, datetime.now(UTC)),
    }
    lines = course_lines(course, progress, slug, Canvas(width, marks), course.chapters)
    return [line.plain for line in lines]


@pytest.mark.parametrize("marks", [FANCY, ASCII])
@pytest.mark.parametrize("width", [20, 40, 80, 250])
def test_the_course_fits(course: Course, width: int, marks: Marks) -> None:
    """No line is too wide, and no escape sequence of a title reaches the terminal."""
    lines = draw(course, width, marks)

    assert 100 == sum("lesson" in line for line in lines)
    assert [] == [line for line in lines if cell_len(line) > width or "\x1b" in line]


def test_the_course_in_words(course: Course) -> None:
    """In words, each lesson is a sentence with its status, including the broken one."""
    lines = draw(course, 80, WORDS)

    assert "Double it, easy, started, 12 attempts, current." in lines[4]
    assert 1 == sum("broken: " in line for line in lines)
    assert lines[0].startswith("Chapter 1: ")


def sums(course: Course) -> Sums:
    days = {TODAY - timedelta(ago): ago % 7 + 1 for ago in range(0, 300, 3)}
    causes = [("a-cause-with-a-rather-long-name-for-its-column", 1234), ("other", 1)]
    slugs = [(it.number, it.title, [one.slug for one in it.lessons]) for it in course.chapters]
    counts = count_chapters(slugs, {}, ())
    return Sums(counts, 4321, 7, {"a": 1, "b": 20}, days, causes, TODAY)


@pytest.mark.parametrize("marks", [FANCY, ASCII])
@pytest.mark.parametrize("width", [20, 40, 80, 250])
def test_statistics_fit(course: Course, width: int, marks: Marks) -> None:
    """Every picture fits the width, down to the narrowest."""
    lines = [line.plain for line in stats_lines(sums(course), Canvas(width, marks))]
    prose = ("attempts on", "Attempts until", "Explain one", "lessons passed", "Most frequent")
    drawn = [line for line in lines if not any(words in line for words in prose)]
    assert [] == [line for line in drawn if cell_len(line) > width]


def test_statistics_in_words(course: Course) -> None:
    """In words, statistics are sentences without signs for numbers."""
    text = "\n".join(line.plain for line in stats_lines(sums(course), Canvas(80, WORDS)))

    assert "2026-05-06: 1 attempt." in text
    assert "a-cause-with-a-rather-long-name-for-its-column: 1,234 times." in text
    assert not set(text) & set("█▓▒░━─·#")


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(0, 9, "----"), (1, 99, "#---"), (98, 99, "###-"), (99, 99, "####"), (0, 0, "----")],
)
def test_a_bar_is_honest(part: int, whole: int, expected: str) -> None:
    """A bar is empty only for zero and full only for the total."""
    assert expected == Canvas(80, ASCII).bar(part, whole, 4).plain


# ---------------------------------------------------------------- from the store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home in which a lesson was tried three times."""
    folder = tmp_path / "home"
    monkeypatch.setenv("JAXTUTOR_HOME", str(folder))
    clock = iter(datetime(2026, 5, 4, 12, n, tzinfo=UTC) for n in range(9))
    with Store(
        folder / "data" / "progress.sqlite3", "jaxtutor", lambda: next(clock), print
    ) as store:
        for status, cause in (("raised", "traced-bool-in-if"), ("failed", None), ("passed", None)):
            store.record_attempt(
                "safe-clip-positive",
                source="x",
                status=status,
                verdict=json.dumps({"diagnosis": {"cause": cause}}),
                device="cpu:0",
                jax="0.12.0",
                python="3.13.0",
                seconds=0.1,
                starter="s",
            )
        store.record_hint("safe-clip-positive", 1)
    return folder


def test_stats_as_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON contains every number that is drawn."""
    status = run(["stats", "--json"])
    report = json.loads(capsys.readouterr().out)

    assert (0, []) == (status, broken_promises(report, "stats"))
    assert (1, 3, 1) == (report["passed"], report["attempts"], report["hints_shown"])
    assert [{"lesson": "safe-clip-positive", "attempts": 3}] == report["until_passed"]
    assert [{"cause": "traced-bool-in-if", "times": 1}] == report["causes"]
    assert [3] == [day["attempts"] for day in report["days"]]


def test_a_verdict_that_is_no_json_is_passed_over(home: Path) -> None:
    """A stored verdict that is not valid JSON is skipped."""
    with Store(home / "data" / "progress.sqlite3", "jaxtutor", lambda: TODAY_NOON, print) as store:
        store.record_attempt(
            "x",
            source="",
            status="raised",
            verdict="{",
            device="",
            jax="",
            python="",
            seconds=0.0,
            starter="",
        )
        assert (("traced-bool-in-if", 1),) == store.causes(5)


TODAY_NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)


def test_history_begins_with_a_glance(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The history starts with a mark for each attempt and the first pass."""
    run(["history", "safe-clip-positive"])
    assert "✗✗✓  3 attempts, passed at attempt 3." in capsys.readouterr().out


def test_history_in_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, the history starts with a sentence instead of marks."""
    run(["history", "safe-clip-positive", "--plain"])
    assert capsys.readouterr().out.startswith("3 attempts, passed at attempt 3.\n")


class Screen(io.StringIO):
    """A terminal of twenty rows."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], 8), (["--all"], 100), (["2"], 8), (["named_4"], 7)],
)
def test_what_is_opened_on_a_screen(
    home: Path,
    course: Course,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: int,
) -> None:
    """If the course is longer than the screen, the current or the given chapter is expanded."""
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "20")
    status = run(["list", *arguments, "--course", str(course.folder)])

    lines = screen.getvalue().splitlines()
    assert 0 == status
    assert expected == sum("lesson-with" in line for line in lines)
    assert 14 == sum(" of " in line for line in lines)


@pytest.mark.parametrize("name", ["99", "nothing", "named"])
def test_a_chapter_that_is_not_one(home: Path, course: Course, name: str) -> None:
    """An invalid chapter is a usage error."""
    assert 2 == run(["list", name, "--course", str(course.folder)])
