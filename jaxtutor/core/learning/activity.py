"""Computes statistics of attempts: attempts until a pass, active days, streaks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct

WEEK = 7
STEPS = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 0))
"""Ranges of the number of attempts until a pass, both ends included; 0 means no upper end."""


class ChapterCount(Struct, frozen=True):
    """The progress in one chapter."""

    number: int
    title: str
    lessons: int
    passed: int
    attempts: int


def count_chapters(
    chapters: Iterable[tuple[int, str, Sequence[str]]],
    attempts: Mapping[str, int],
    passed: Collection[str],
) -> tuple[ChapterCount, ...]:
    """Count by chapter; chapters are triples of number, title and slugs of lessons."""
    return tuple(
        ChapterCount(
            number,
            title,
            len(slugs),
            sum(slug in passed for slug in slugs),
            sum(attempts.get(slug, 0) for slug in slugs),
        )
        for number, title, slugs in chapters
    )


def spread(tries: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """Count how many numbers of attempts are in each range, and name the ranges."""
    tries = list(tries)
    return tuple(
        (
            _step_name(low, high),
            sum(low <= count and (not high or count <= high) for count in tries),
        )
        for low, high in STEPS
    )


def _step_name(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low} to {high}" if high else f"{low} or more"


def streak(days: Iterable[date], today: date) -> int:
    """Count the consecutive active days up to today; today itself may still be inactive."""
    days = set(days)
    last = today if today in days else today - timedelta(1)
    length = 0
    while last - timedelta(length) in days:
        length += 1
    return length


def lay_out_weeks(
    days: Mapping[date, int], today: date, weeks: int
) -> tuple[tuple[int | None, ...], ...]:
    """Arrange the last weeks as rows of weekdays from Monday; None marks days in the future."""
    monday = today - timedelta(today.weekday() + WEEK * (weeks - 1))
    grid = []
    for weekday in range(WEEK):
        row = [monday + timedelta(WEEK * week + weekday) for week in range(weeks)]
        grid.append(tuple(days.get(day, 0) if day <= today else None for day in row))
    return tuple(grid)


def month_starts(today: date, weeks: int) -> tuple[tuple[int, date], ...]:
    """Return pairs of a week's column and a date, for each week in which a month begins."""
    monday = today - timedelta(today.weekday() + WEEK * (weeks - 1))
    starts = []
    for week in range(weeks):
        sunday = monday + timedelta(WEEK * week + WEEK - 1)
        if sunday.day <= WEEK and sunday <= today + timedelta(WEEK):
            starts.append((week, sunday))
    return tuple(starts)


def shade(count: int, most: int, shades: int) -> int:
    """Return the shade of a day: 0 for no attempts, otherwise by its share of the busiest day."""
    if not count or not most:
        return 0
    return min(shades - 1, 1 + (count - 1) * (shades - 1) // most)
