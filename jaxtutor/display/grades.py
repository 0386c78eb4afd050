"""Owns how grades look: a table of one lesson's or of many, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.core.reporting.grades import Grade, count, passed_by_learner
from jaxtutor.display.theme import WORDS as PLAIN
from jaxtutor.display.theme import Marks, visible

WORDS = {
    "passed": "passed",
    "failed": "failed",
    "raised": "raised",
    "timed_out": "timed out",
    "crashed": "crashed",
    "lesson_at_fault": "lesson at fault",
    "unreadable": "cannot be read",
    "unnamed": "named like no lesson",
    "not_graded": "not graded",
}
SHOWN = 3


def grades_page(
    grades: Sequence[Grade], lessons: Sequence[str], marks: Marks
) -> Iterator[RenderableType]:
    """Draw the grades: a line a file where they are of one lesson, else a line a learner."""
    named = [grade for grade in grades if grade.status != "unnamed"]
    asked = [slug for slug in lessons if any(grade.lesson == slug for grade in named)]
    if len(asked) > 1:
        yield _by_learner(named, asked, marks)
        yield Text()
    # Behind the marks of many lessons, only what there is something to say of is told.
    told = [it for it in named if len(asked) < 2 or it.status != "passed" or it.notes]
    yield from _by_file(told, marks)
    yield from _unnamed(grades)
    yield Text()
    yield Text(_sum_up(grades), style="title")


def _by_learner(grades: Sequence[Grade], lessons: Sequence[str], marks: Marks) -> Table:
    table = Table.grid(padding=(0, 2))
    for learner, row in passed_by_learner(grades).items():
        passed = sum(grade.status == "passed" for grade in row.values())
        table.add_row(
            Text(learner, style="title", overflow="fold"),
            *_marks([row.get(slug) for slug in lessons], marks),
            Text(f"{passed} of {len(lessons)} passed"),
        )
    return table


def _marks(grades: Sequence[Grade | None], marks: Marks) -> Iterator[Text]:
    """Draw a cell of marks; none where marks are words, which the next cells say anyway."""
    if marks != PLAIN:
        yield Text(" ").join(_mark(grade, marks) for grade in grades)


def _mark(grade: Grade | None, marks: Marks) -> Text:
    if grade is None:
        return Text(marks.skipped, style="skipped")
    if grade.status == "passed":
        return Text(marks.passed, style="passed")
    return Text(marks.failed, style="failed")


def _by_file(grades: Sequence[Grade], marks: Marks) -> Iterator[RenderableType]:
    several = len({grade.lesson for grade in grades}) > 1
    table = Table.grid(padding=(0, 2))
    for grade in grades:
        held = f"{grade.held} of {len(grade.checks)}" if grade.checks else ""
        table.add_row(
            *_marks([grade], marks),
            Text(grade.learner, style="title", overflow="fold"),
            *([Text(grade.lesson, overflow="fold")] if several else []),
            Text(WORDS[grade.status]),
            Text(held, style="quiet"),
            _story(grade),
        )
    if grades:
        yield table


def _story(grade: Grade) -> Text:
    told = "; ".join(filter(None, (*_reasons(grade), *grade.notes)))
    return Text(told, style="quiet", overflow="fold")


def _reasons(grade: Grade) -> tuple[str, ...]:
    """Say why it did not pass; a finding stands beside the check that failed."""
    if grade.status == "passed":
        return ()
    where = f" at line {grade.line}" if grade.line else ""
    headline = visible(grade.headline)
    if grade.cause is None:
        return (headline + where,)
    named = grade.cause + where
    return (named,) if grade.status == "raised" else (headline, named)


def _unnamed(grades: Sequence[Grade]) -> Iterator[RenderableType]:
    files: dict[str, list[str]] = {}
    for grade in grades:
        if grade.status == "unnamed":
            files.setdefault(grade.learner, []).append(grade.file)
    if files:
        yield Text()
        yield Text("Named like no lesson, and not graded:")
    for learner, names in files.items():
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        yield Text(f"  {learner}: {', '.join(names[:SHOWN])}{more}", overflow="fold")


def _sum_up(grades: Sequence[Grade]) -> str:
    counts = count(grades)
    said = [f"{number} {WORDS[status]}" for status, number in counts.items() if status != "passed"]
    files = "1 file" if len(grades) == 1 else f"{len(grades)} files"
    return ", ".join([f"{counts.get('passed', 0)} of {files} passed", *said]) + "."
