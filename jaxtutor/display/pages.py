"""Draws pages: a lesson's text, a lesson's history, a fix that was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.lessons import AFTER, put_task_first
from jaxtutor.display.theme import NARROW, WORDS, Marks, visible
from jaxtutor.storage.store import Attempt, SavedFile

if TYPE_CHECKING:
    from rich.rule import Rule
    from rich.table import Table

    from jaxtutor.core.data.diagnoses import Fix
    from jaxtutor.core.data.verdicts import Verdict
    from jaxtutor.display.render import Renderer


REST_FOLLOWS = "Why, a worked example and pitfalls follow."


def lesson_page(
    lesson: Lesson,
    course: Course,
    file: str,
    draw: Callable[[str], RenderableType],
    follows: str = REST_FOLLOWS,
    above: str = "",
) -> RenderableType:
    """Draw a lesson's page, the task first, between its place in the course and its file's path.

    `draw` draws Markdown, and `follows` says below the task how to reach the rest. `above` comes
    before the page: the introduction of a chapter that begins with this lesson.
    """
    from jaxtutor.display.progress import place_text

    info = lesson.info
    task, rest = put_task_first(lesson.page)
    is_short = rest.startswith(f"## {AFTER}\n")
    return Group(
        Text(place_text(course, lesson), style="quiet"),
        *([draw(above), Text()] if above else []),
        draw(task),
        Text(),
        *([Text(follows, style="mark"), Text()] if not is_short and rest else []),
        *([draw(rest), Text()] if rest else []),
        *([Text("Predict first: jaxtutor predict", style="quiet")] if info.predict else []),
        Text.assemble(("Your file: ", "quiet"), (file, "code"), overflow="fold"),
    )


def history_page(
    entries: Sequence[Attempt | SavedFile], count: int, first: int, marks: Marks, width: int = 80
) -> Iterator[RenderableType]:
    """Draw a summary of the attempts, then these attempts and saved copies.

    `count` attempts were made, and the one numbered `first` was the first that passed; 0 if none
    did. On a narrow terminal an entry has its number, minute and status only, so that it fits one
    row.
    """
    from rich.table import Table

    yield _strip([it for it in entries if isinstance(it, Attempt)], count, first, marks)
    table = Table.grid(padding=(0, 2, 0, 0))
    for entry in entries:
        number, when, status, details = _history_row(entry, marks)
        if width < NARROW:
            when.right_crop(len(":00"))
            table.add_row(number, when, details if isinstance(entry, SavedFile) else status)
        else:
            table.add_row(number, when, status, details)
    yield table


def _strip(attempts: Sequence[Attempt], count: int, first: int, marks: Marks) -> Text:
    """Draw one mark per attempt, and name the first that passed."""
    if not count:
        return Text("No attempts yet.")
    counted = f"{count} attempt" + ("" if count == 1 else "s")
    summary = f"{counted}, passed at attempt {first}." if first else f"{counted}, not passed yet."
    if marks == WORDS:
        return Text(summary)
    strip = Text(overflow="fold")
    for entry in attempts:
        passed = entry.status == "passed"
        strip.append(marks.passed if passed else marks.failed, "passed" if passed else "failed")
    return strip.append(f"  {summary}\n")


def _history_row(entry: Attempt | SavedFile, marks: Marks) -> tuple[Text, Text, Text, Text]:
    when = Text(_local(entry.when), style="quiet")
    if isinstance(entry, SavedFile):
        return Text(f"k{entry.n}", style="code"), when, Text("saved"), Text(entry.reason)
    passed = entry.status == "passed"
    mark = marks.passed if passed else marks.failed
    status = Text(
        f"{mark} {entry.status.replace('_', ' ')}", style="passed" if passed else "failed"
    )
    details = Text(f"{entry.seconds:.2f} s on {entry.device}, jax {entry.jax}", style="quiet")
    return Text(str(entry.n), style="code"), when, status, details


def attempts_page(
    attempts: Sequence[Attempt],
    summaries: Sequence[str],
    now: datetime,
    marks: Marks,
    cursor: int = 0,
) -> Table:
    """Draw attempts, newest first, each with its age and a summary of its verdict.

    The row of the attempt whose number is `cursor` is reversed and begins with CURSOR.
    """
    from rich.table import Table

    from jaxtutor.display.progress import CURSOR

    ages = [age_text(now - attempt.when) for attempt in attempts]
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    if cursor:
        table.add_column(min_width=len(CURSOR))
    # Without a minimum width, rich would shrink these in favour of the last column.
    table.add_column(justify="right", min_width=len(str(len(attempts))))
    table.add_column(min_width=max(len(marks.passed), len(marks.failed)))
    table.add_column(justify="right", min_width=max(map(len, ages), default=0))
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for attempt, age, summary in reversed(list(zip(attempts, ages, summaries, strict=True))):
        passed = attempt.status == "passed"
        here = attempt.n == cursor
        table.add_row(
            *([Text(CURSOR if here else " ")] if cursor else []),
            Text(str(attempt.n), style="code"),
            Text(marks.passed if passed else marks.failed, style="passed" if passed else "failed"),
            Text(age, style="quiet"),
            Text(visible(summary)),
            style="reverse" if here else None,
        )
    return table


_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def age_text(age: timedelta) -> str:
    """Format an age in the largest unit that fits."""
    seconds = age.total_seconds()
    for unit, length in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def fix_page(renderer: Renderer, fix: Fix, after: Verdict) -> Iterator[RenderableType]:
    """Draw a fix that was tried, after what was observed."""
    if fix.verified:
        yield Text("Verified fix: your file passes with it.", style="passed")
    else:
        yield Text("Partial fix: more checks pass with it, but not all.", style="mark")
        yield Text(f"What remains: {visible(after.headline)}")
    yield from renderer.diff_text(fix.diff)


def _local(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def rule(title: str = "") -> Rule:
    """Draw a horizontal line with an optional title."""
    from rich.rule import Rule

    return Rule(Text(title, style="quiet"), style="quiet", align="left")
