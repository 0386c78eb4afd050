"""Measures `lesson test` and the check of every lesson, with parallel jobs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from benchmarks import Columns, Options, Row
from benchmarks.cold import by_pytest
from benchmarks.grading import grade
from benchmarks.interleave import TUTOR, Take, compare, process, surroundings
from benchmarks.lessons import by_chapter, choose
from benchmarks.machine import cores
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

COLUMNS = Columns(
    "the course: every lesson",
    floor="one by one",
    rival="pytest, one by one",
    notes=(
        "`lesson test`: every submission of every lesson, and the pages; pytest runs no pages.",
        "Checks: every solution, by `grade`. Aims: 0.9 times the processors, and 5 times pytest.",
    ),
)
SHARE, OF_RIVAL = 0.9, 1 / 5


def run(options: Options) -> Iterator[Row]:
    """Check every lesson, which caches the solutions' answers, then test every lesson."""
    lessons = choose(options)
    aim = 1 / (SHARE * cores())
    pile = options.home / "pile"
    for lesson in lessons:
        place = pile / lesson.slug / f"{lesson.folder.name}.py"
        place.parent.mkdir(parents=True)
        shutil.copy(lesson.folder / "solution.py", place)
    solutions = {
        "ours": grade(pile, options.home, "--jobs", str(cores())),
        "floor": grade(pile, options.home, "--jobs", "1"),
        "rival": one_by_one(
            [by_tests(lesson, options, ["solution.py"]) for lesson in lessons],
        ),
    }
    taken = compare(options.repeats, solutions)
    count = len(lessons)
    yield Row(name=f"checks of {count}", **taken, unit="s", of_floor=aim, of_rival=OF_RIVAL)
    gates = {
        "ours": one_by_one([test(lessons, options, cores())]),
        "floor": one_by_one([test(lessons, options, 1)]),
        "rival": one_by_one(
            [by_tests(lesson, options, list(submissions(lesson))) for lesson in lessons]
        ),
    }
    taken = compare(options.repeats, gates, unkept=0)
    yield Row(name=f"tests of {count}", **taken, unit="s", of_floor=aim, of_rival=OF_RIVAL)


def submissions(lesson: Lesson) -> Iterator[str]:
    """Return every submission that the gates run."""
    yield from ("starter.py", "solution.py")
    for folder in ("mistakes", "also"):
        for path in sorted((lesson.folder / folder).glob("*.py")):
            yield f"{folder}/{path.name}"


def by_tests(lesson: Lesson, options: Options, names: list[str]) -> Take:
    """Return the seconds of testing a lesson on each of these files, one process after another."""
    environ = surroundings(options.home)
    takes = [
        by_pytest(lesson, lesson.folder / name, environ, options.home, good=(0, 1, 2))
        for name in names
    ]
    return lambda: sum(take() for take in takes) / 1e3


def one_by_one(takes: list[Take]) -> Take:
    """Combine several functions into one that runs all of them."""
    return lambda: sum(take() for take in takes)


def is_whole(chapter: list[Lesson]) -> bool:
    """Return True if these are all lessons of their chapter."""
    return len(chapter) == len(list(chapter[0].folder.parent.glob("*/lesson.toml")))


def test(lessons: list[Lesson], options: Options, jobs: int) -> Take:
    """Return the seconds of `lesson test` on these lessons, with a number of parallel jobs."""
    environ = surroundings(options.home)
    targets = [
        [str(chapter[0].folder.parent)] if is_whole(chapter) else [lesson.slug]
        for chapter in by_chapter(lessons)
        for lesson in (chapter[:1] if is_whole(chapter) else chapter)
    ]
    if len(lessons) == len(load_course(None).lessons):
        targets = [[]]
    command = (*TUTOR, "lesson", "test", "--plain", "--jobs", str(jobs))
    takes = [process(*command, *target, environ=environ) for target in targets]
    return lambda: sum(take() for take in takes) / 1e3
