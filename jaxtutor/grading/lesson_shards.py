"""Chooses the lessons of a shard, so that all shards take about the same time."""

from __future__ import annotations

from pathlib import Path

from jaxtutor.content.lesson import Lesson
from jaxtutor.core.grading.sharding import Shard, places_in

OWN_RUNS = 4
"""The runs of a lesson that has no other files: its solution twice, its starter and its page."""


def lessons_in(shard: Shard, lessons: tuple[Lesson, ...]) -> tuple[Lesson, ...]:
    """Return the lessons of a shard, in order; the steps of a project stay together.

    Each step runs the checks of the steps before it, and finds their compiled programs.
    """
    parts: dict[Path, list[Lesson]] = {}
    for lesson in lessons:
        place = lesson.folder.parent if lesson.is_step else lesson.folder
        parts.setdefault(place, []).append(lesson)
    each = list(parts.values())
    chosen = places_in(shard, [sum(map(_count_runs, part)) for part in each])
    return tuple(lesson for place in chosen for lesson in each[place])


def _count_runs(lesson: Lesson) -> int:
    """Count the runs of a lesson's gates; what passes a step is run for the earlier steps, too."""
    mistakes = len(list((lesson.folder / "mistakes").glob("*.py")))
    passing = OWN_RUNS + len(list((lesson.folder / "also").glob("*.py")))
    return mistakes + passing * (1 + len(lesson.earlier))
