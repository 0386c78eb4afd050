"""Owns the pages between checks: a lesson's text, the course, a lesson's history, a tried fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from jaxtutor.core.progress import Progress
from jaxtutor.course import Chapter, Course, Lesson
from jaxtutor.store import Attempt, Kept
from jaxtutor.ui.look import Marks, visible

if TYPE_CHECKING:
    from jaxtutor.core.model import Fix, Verdict
    from jaxtutor.ui.render import Renderer


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
        _state(lesson),
        Text(tries, style="quiet"),
    )


def _state(lesson: Lesson) -> Text:
    if lesson.fault:
        return Text(visible(f"broken: {lesson.fault}"), style="failed", overflow="fold")
    return Text(lesson.info.difficulty, style="quiet")


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


def attempts_page(
    attempts: Sequence[Attempt], says: Sequence[str], now: datetime, marks: Marks
) -> Table:
    """Draw attempts with what was said of them and how long ago, the newest first."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for attempt, words in reversed(list(zip(attempts, says, strict=True))):
        passed = attempt.status == "passed"
        table.add_row(
            Text(str(attempt.n), style="code"),
            Text(marks.passed if passed else marks.failed, style="passed" if passed else "failed"),
            Text(age_text(now - attempt.when), style="quiet"),
            Text(visible(words)),
        )
    return table


_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def age_text(age: timedelta) -> str:
    """Say how long ago something was, in the largest unit that fits."""
    seconds = age.total_seconds()
    for unit, length in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def fix_page(renderer: Renderer, fix: Fix, after: Verdict) -> Iterator[RenderableType]:
    """Draw an edit that was tried, what was seen of it first."""
    if fix.verified:
        yield Text("Verified: with this edit your file passes.", style="passed")
    else:
        yield Text("Not verified: with this edit your file gets further.", style="mark")
        yield Text(f"Then: {visible(after.headline)}")
    yield from renderer.diff_text(fix.diff)


def _local(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def rule(title: str = "") -> Rule:
    """Draw a line across, with a title in it."""
    return Rule(Text(title, style="quiet"), style="quiet", align="left")
