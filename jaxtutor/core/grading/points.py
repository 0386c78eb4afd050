"""Reads how many points lessons and checks are worth, and counts those of a grade."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec import Struct

from jaxtutor.core.data.verdicts import CheckResult

LARGEST_POINTS = 1_000_000
"""No course has more; a larger number is a typing error."""


class PointsError(ValueError):
    """A table of points that cannot be used; the message says where and why."""


class LessonPoints(Struct, frozen=True):
    """What a lesson is worth: all or nothing, by its `checks`, or in equal `partial` amounts."""

    points: Fraction
    checks: dict[str, Fraction] = {}
    partial: bool = False
    assignment: str = ""


class Points(Struct, frozen=True):
    """What the lessons are worth. `late` is the factor for what was handed in late.

    `assignment` is the title of the column with the total in a gradebook.
    """

    lessons: dict[str, LessonPoints]
    late: Fraction = Fraction(1)
    assignment: str = ""
    is_default: bool = False

    @property
    def total(self) -> Fraction:
        """The points of all lessons."""
        return sum((it.points for it in self.lessons.values()), Fraction(0))


def equal_points(lessons: Iterable[str]) -> Points:
    """Return one point for each lesson, all or nothing."""
    return Points({slug: LessonPoints(Fraction(1)) for slug in lessons}, is_default=True)


# ---------------------------------------------------------------- reading


def read_points(text: str, lessons: Collection[str]) -> Points:
    """Read a TOML table. `lessons` are the slugs of the course. Raises PointsError."""
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:  # ValueError for a number of many digits too
        raise PointsError(f"It is not valid TOML: {error}") from None
    _refuse_unknown(table, ("total", "late", "assignment", "lessons"), "the file")
    entries = table.get("lessons")
    if not isinstance(entries, dict) or not entries:
        raise PointsError("It has no lessons. Write a table such as [lessons.safe-clip-positive].")
    for slug in entries:
        if slug not in lessons:
            raise PointsError(f"The course has no lesson {slug!r}.")
    late = _number(table.get("late", 1), "late")
    if late > 1:
        raise PointsError(f"late is {decimal(late)}. It is a factor between 0 and 1.")
    points = Points(
        {slug: _lesson(slug, entry) for slug, entry in entries.items()},
        late,
        _title(table.get("assignment", ""), "assignment"),
    )
    if "total" not in table:
        raise PointsError(f"total is missing. The lessons add up to {decimal(points.total)}.")
    total = _number(table["total"], "total")
    if total != points.total:
        raise PointsError(
            f"total is {decimal(total)}, but the lessons add up to {decimal(points.total)}."
        )
    return points


def _lesson(slug: str, entry: Any) -> LessonPoints:
    where = f"lessons.{slug}"
    if not isinstance(entry, dict):
        raise PointsError(f"{where} is not a table. Write points = {entry!r} below [{where}].")
    _refuse_unknown(entry, ("points", "checks", "partial", "assignment"), where)
    if "points" not in entry:
        raise PointsError(f"{where} has no points.")
    points = _number(entry["points"], f"{where}.points")
    partial = entry.get("partial", False)
    if not isinstance(partial, bool):
        raise PointsError(f"{where}.partial is {partial!r}. Choose true or false.")
    checks = entry.get("checks", {})
    if not isinstance(checks, dict) or (checks and partial):
        raise PointsError(f"{where} takes either a table of checks or partial = true.")
    weights = {name: _number(it, f"{where}.checks.{name}") for name, it in checks.items()}
    total = sum(weights.values(), Fraction(0))
    if weights and total != points:
        raise PointsError(
            f"{where}.points is {decimal(points)}, but its checks add up to {decimal(total)}."
        )
    title = _title(entry.get("assignment", ""), f"{where}.assignment")
    return LessonPoints(points, weights, partial, title)


def _refuse_unknown(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for name in table:
        if name not in known:
            raise PointsError(f"{where} has {name!r}. Known are {', '.join(known)}.")


def _number(value: Any, where: str) -> Fraction:
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if not is_number or (isinstance(value, Decimal) and not value.is_finite()):
        raise PointsError(f"{where} is {value!r}, not a number.")
    # Compared before it is converted: Fraction(Decimal("1e999999")) has a million digits.
    if not 0 <= value <= LARGEST_POINTS or 0 < value < Decimal("1e-6"):
        raise PointsError(f"{where} is {value}. It must be 0 or more, and at most 1 million.")
    return Fraction(value)


def _title(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise PointsError(f"{where} is {value!r}, not a text.")
    return value


# ---------------------------------------------------------------- counting


def unknown_checks(points: Points, lesson: str, checks: Iterable[CheckResult]) -> list[str]:
    """Return the checks in the table of a lesson that the lesson does not have."""
    worth = points.lessons.get(lesson)
    names = {check.name for check in checks}
    return [name for name in worth.checks if name not in names] if worth else []


def count_points(
    points: Points, lesson: str, passed: bool, checks: Iterable[CheckResult], is_late: bool
) -> Fraction:
    """Return the points of one file. A check that was skipped gets none."""
    worth = points.lessons.get(lesson)
    if worth is None:
        return Fraction(0)
    return _earned(worth, passed, list(checks)) * (points.late if is_late else 1)


def _earned(worth: LessonPoints, passed: bool, checks: list[CheckResult]) -> Fraction:
    if passed:
        return worth.points
    if worth.partial and checks:
        return worth.points * sum(it.status == "passed" for it in checks) / len(checks)
    # Of two checks with one name, both must have passed.
    failed = {check.name for check in checks if check.status != "passed"}
    held = {check.name for check in checks} - failed
    return sum((it for name, it in worth.checks.items() if name in held), Fraction(0))


def possible(points: Points, lesson: str) -> Fraction:
    """Return what a lesson is worth; 0 if it is not in the table."""
    worth = points.lessons.get(lesson)
    return worth.points if worth else Fraction(0)


def decimal(value: Fraction) -> str:
    """Write points with at most four digits after the point."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")
