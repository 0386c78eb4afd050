"""Builds the outputs about what a learner did, and what is due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime

from msgspec.structs import asdict

from jaxtutor.core.learning.activity import ChapterCount
from jaxtutor.core.learning.drills import CauseRecord
from jaxtutor.core.learning.reviews import Recall
from jaxtutor.core.reporting.outputs.learning import (
    ActiveDay,
    CauseForecast,
    ChapterProgress,
    LessonForecast,
    MetCause,
    ReviewOutput,
    StatsOutput,
    UntilPassed,
)


def stats_report(
    chapters: Sequence[ChapterCount],
    attempts: int,
    hints: int,
    tries: Mapping[str, int],
    days: Mapping[date, int],
    causes: Sequence[tuple[str, int]],
    records: Sequence[CauseRecord],
) -> StatsOutput:
    """Build the output of a learner's statistics."""
    return StatsOutput(
        lessons=sum(chapter.lessons for chapter in chapters),
        passed=sum(chapter.passed for chapter in chapters),
        attempts=attempts,
        hints_shown=hints,
        chapters=tuple(ChapterProgress(**asdict(chapter)) for chapter in chapters),
        until_passed=tuple(
            UntilPassed(lesson=slug, attempts=count) for slug, count in tries.items()
        ),
        days=tuple(ActiveDay(day=day.isoformat(), attempts=days[day]) for day in sorted(days)),
        causes=tuple(MetCause(cause=cause, times=times) for cause, times in causes),
        mastered=tuple(record.cause for record in records if record.is_mastered),
        recurring=tuple(record.cause for record in records if record.is_recurring),
    )


def review_report(
    recalls: Sequence[Recall], opened: Set[str], causes: Sequence[Recall], now: datetime
) -> ReviewOutput:
    """Build the output of the lessons due for review, and of the causes due for a drill."""
    return ReviewOutput(
        lessons=tuple(
            LessonForecast(
                slug=recall.slug,
                due=recall.due.isoformat(timespec="seconds"),
                is_due=recall.due <= now,
                chance=recall.chance,
                reviews=recall.reviews,
                under_review=recall.slug in opened,
            )
            for recall in recalls
        ),
        drills=tuple(
            CauseForecast(
                cause=recall.slug,
                due=recall.due.isoformat(timespec="seconds"),
                is_due=recall.due <= now,
                chance=recall.chance,
                drills=recall.reviews,
            )
            for recall in causes
        ),
    )
