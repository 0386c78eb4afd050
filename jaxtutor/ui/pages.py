"""Owns the pages between checks: a lesson's text, the course, a lesson's history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from jaxtutor.core.progress import Progress
from jaxtutor.course import Chapter, Course, Lesson
from jaxtutor.store import Attempt, Kept
from jaxtutor.ui.look import Marks


def lesson_page(lesson: Lesson, chapter: Chapter, file: str) -> RenderableType:
    """Draw a lesson's text with its place in the course above and its file below."""
    from jaxtutor.ui.markdown import Page

    info = lesson.info
    place = f"{lesson.number}  {chapter.title}  {info.difficulty}, about {info.minutes} minutes"
    return Group(
        Text(place, style="quiet"),
        Page(lesson.page),
        Text(),
        Text.assemble(("Your file: ", "quiet"), (file, "code"), overflow="fold"),
    )


def course_page(
    course: Course, progress: Mapping[str, Progress], current: str | None, marks: Marks
) -> Iterator[RenderableType]:
    """Draw the course chapter by chapter, with what was done."""
    for chapter in course.chapters:
        passed = sum(_status(progress, lesson) == "passed" for lesson in chapter.lessons)
        total = len(chapter.lessons)
        bar = bar_text(passed, total, marks)
        yield Text.assemble(
            (f"{chapter.number}  {chapter.title}", "title"), "  ", bar, f"  {passed} of {total}"
        )
        table = Table.grid(padding=(0, 2))
        for lesson in chapter.lessons:
            table.add_row(*_row(lesson, progress, lesson.slug == current, marks))
        yield table
        yield Text()


def _row(
    lesson: Lesson, progress: Mapping[str, Progress], current: bool, marks: Marks
) -> tuple[Text, ...]:
    done = progress.get(lesson.slug, Progress())
    mark, style = {
        "passed": (marks.lesson_passed, "passed"),
        "started": (marks.lesson_started, "mark"),
        "new": (marks.lesson_new, "skipped"),
    }[done.status]
    here = marks.here if current else ""
    tries = f"{done.attempts} tries" if done.attempts > 1 else ""
    return (
        Text(f" {here}", style="mark"),
        Text(mark, style=style),
        Text(lesson.number, style="quiet"),
        Text(lesson.slug, style="title" if current else "", overflow="fold"),
        Text(lesson.info.difficulty, style="quiet"),
        Text(tries, style="quiet"),
    )


def _status(progress: Mapping[str, Progress], lesson: Lesson) -> str:
    return progress.get(lesson.slug, Progress()).status


def bar_text(done: int, total: int, marks: Marks, width: int = 12) -> Text:
    """Draw how much is done as a bar."""
    filled = round(width * done / total) if total else 0
    return Text.assemble((marks.full * filled, "passed"), (marks.empty * (width - filled), "quiet"))


def history_page(
    attempts: Sequence[Attempt], kept: Sequence[Kept], marks: Marks
) -> Iterator[RenderableType]:
    """Draw every attempt and every file put away, the oldest first."""
    table = Table.grid(padding=(0, 2))
    entries: list[Attempt | Kept] = sorted([*attempts, *kept], key=lambda entry: entry.when)
    for entry in entries:
        table.add_row(*_history_row(entry, marks))
    yield table


def _history_row(entry: Attempt | Kept, marks: Marks) -> tuple[Text, ...]:
    when = Text(_local(entry.when), style="quiet")
    if isinstance(entry, Kept):
        return Text(f"k{entry.n}", style="code"), when, Text("kept"), Text(entry.reason)
    passed = entry.status == "passed"
    mark = marks.passed if passed else marks.failed
    status = Text(
        f"{mark} {entry.status.replace('_', ' ')}", style="passed" if passed else "failed"
    )
    details = Text(f"{entry.seconds:.2f} s on {entry.device}, jax {entry.jax}", style="quiet")
    return Text(str(entry.n), style="code"), when, status, details


def _local(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def rule(title: str = "") -> Rule:
    """Draw a line across, with a title in it."""
    return Rule(Text(title, style="quiet"), style="quiet", align="left")
