"""Draws grades as a table, per file or per learner, with a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.core.data.sanitize import shorten
from jaxtutor.core.grading.grades import Grade, count, count_measured, passed_by_learner
from jaxtutor.core.grading.points import Points
from jaxtutor.display.theme import WORDS as PLAIN
from jaxtutor.display.theme import Marks, visible

WORDS = {
    "passed": "passed",
    "failed": "failed",
    "raised": "raised",
    "timed_out": "timed out",
    "crashed": "crashed",
    "lesson_at_fault": "lesson at fault",
    "unreadable": "unreadable",
    "unnamed": "without a lesson",
    "not_graded": "not graded",
    "missing": "missing",
}
MOST_FILES = 3
LONGEST_NAME = 60
"""Characters of a learner or a file in a table: a path may have 4,096."""


def grades_page(
    grades: Sequence[Grade], lessons: Sequence[str], marks: Marks, points: Points | None = None
) -> Iterator[RenderableType]:
    """Draw one line per file for a single lesson, otherwise one line per learner first."""
    worth = points if points is not None and not points.is_default else None
    named = [grade for grade in grades if grade.status != "unnamed"]
    graded = [slug for slug in lessons if any(grade.lesson == slug for grade in named)]
    # Below a table of several lessons, list only the files with something to report.
    listed = [it for it in named if len(graded) < 2 or it.status != "passed" or it.notes]
    listed = [it for it in listed if it.status != "missing"]
    if len(graded) > 1:
        yield _by_learner(named, graded, marks, worth)
        if listed:
            yield Text()
    yield from _by_file(listed, marks, worth)
    yield from _unnamed(grades)
    yield from _missing(grades)
    yield Text()
    yield Text(_sum_up(grades), style="title")
    yield from _say_where_measured(grades)


def _by_learner(
    grades: Sequence[Grade], lessons: Sequence[str], marks: Marks, worth: Points | None
) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for learner, row in passed_by_learner(grades).items():
        passed = sum(grade.status == "passed" for grade in row.values())
        table.add_row(
            Text(_brief(learner), style="title", overflow="fold"),
            *_marks([row.get(slug) for slug in lessons], marks),
            Text(f"{passed} of {len(lessons)} passed"),
            *([Text(_points(sum(it.points for it in row.values()), worth.total))] if worth else []),
        )
    return table


def _brief(name: str) -> str:
    return shorten(name, LONGEST_NAME)


def _points(earned: float, possible: float | Fraction) -> str:
    return f"{earned:.6g} of {float(possible):.6g} points"


def _marks(grades: Sequence[Grade | None], marks: Marks) -> Iterator[Text]:
    """Draw a cell of marks; none in plain output, where the next cells say the same in words."""
    if marks != PLAIN:
        yield Text(" ").join(_mark(grade, marks) for grade in grades)


def _mark(grade: Grade | None, marks: Marks) -> Text:
    if grade is None or grade.status == "missing":
        return Text(marks.skipped, style="skipped")
    if grade.status == "passed":
        return Text(marks.passed, style="passed")
    return Text(marks.failed, style="failed")


def _by_file(
    grades: Sequence[Grade], marks: Marks, worth: Points | None
) -> Iterator[RenderableType]:
    several = len({grade.lesson for grade in grades}) > 1
    table = Table.grid(padding=(0, 2, 0, 0))
    for grade in grades:
        held = f"{grade.held} of {len(grade.checks)}" if grade.checks else ""
        table.add_row(
            *_marks([grade], marks),
            Text(_brief(grade.learner), style="title", overflow="fold"),
            *([Text(grade.lesson, overflow="fold")] if several else []),
            Text(WORDS[grade.status]),
            Text(held, style="quiet"),
            *([Text(_points(grade.points, grade.points_possible))] if worth else []),
            _details(grade),
        )
    if grades:
        yield table


def _details(grade: Grade) -> Text:
    measured = f"measured {grade.measured}" if grade.measured else ""
    details = "; ".join(filter(None, (*_reasons(grade), measured, *grade.notes)))
    return Text(details, style="quiet", overflow="fold")


def _reasons(grade: Grade) -> tuple[str, ...]:
    """Explain why a grade is not a pass; a finding is listed after the failed check."""
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
        yield Text("Not graded, because no lesson has such a name:")
    for learner, names in files.items():
        more = f" and {len(names) - MOST_FILES} more" if len(names) > MOST_FILES else ""
        shown = ", ".join(map(_brief, names[:MOST_FILES]))
        yield Text(f"  {_brief(learner)}: {shown}{more}", overflow="fold")


def _missing(grades: Sequence[Grade]) -> Iterator[RenderableType]:
    """List who handed in nothing, by lesson: an instructor writes to all of them."""
    learners: dict[str, list[str]] = {}
    for grade in grades:
        if grade.status == "missing":
            learners.setdefault(grade.lesson, []).append(grade.learner)
    if learners:
        yield Text()
    for lesson, names in learners.items():
        where = f" for {lesson}" if lesson else ""
        who = ", ".join(map(_brief, names))
        yield Text(f"Nothing was handed in{where} by {who}.", overflow="fold")


def _say_where_measured(grades: Sequence[Grade]) -> Iterator[RenderableType]:
    """Say how many passes rest on what the submission's own process reported, if any do."""
    counts = count_measured(grades)
    if "inside" in counts:
        lessons = sorted({grade.lesson for grade in grades if grade.measured == "inside"})
        more = f" and {len(lessons) - MOST_FILES} more" if len(lessons) > MOST_FILES else ""
        yield Text(
            f"{counts['inside']} of {sum(counts.values())} measured inside, in the submission's "
            f"own process: {', '.join(lessons[:MOST_FILES])}{more}.",
            style="quiet",
        )


def _sum_up(grades: Sequence[Grade]) -> str:
    counts = count(grades)
    files = sum(counts.values()) - counts.get("missing", 0)
    others = [
        f"{number} {WORDS[status]}" for status, number in counts.items() if status != "passed"
    ]
    total = "1 file" if files == 1 else f"{files} files"
    return ", ".join([f"{counts.get('passed', 0)} of {total} passed", *others]) + "."
