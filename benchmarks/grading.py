"""Measures `grade` with parallel jobs against one job."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import Columns, Options, Row
from benchmarks.interleave import TUTOR, Take, compare, process, surroundings
from benchmarks.lessons import choose
from benchmarks.machine import cores
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "grading: twenty submissions, solutions and mistakes",
    floor="one by one",
    notes=("On the cluster: two workers of Dask on this machine, where it is installed.",),
)
SHARE = 0.85
"""The target: the part of the processors that must speed up grading."""
COUNT = 20


def run(options: Options) -> Iterator[Row]:
    """Grade the same folder both ways, and on a cluster of this machine."""
    pile = options.home / "pile"
    fill(pile, choose(options), COUNT)
    one = grade(pile, options.home, "--jobs", "1")
    many = grade(pile, options.home, "--jobs", str(cores()))
    taken = compare(options.repeats, {"ours": many, "floor": one})
    aim = 1 / (SHARE * cores())
    yield Row(name=f"{cores()} jobs", **taken, unit="s", of_floor=aim)
    if importlib.util.find_spec("distributed") is not None:
        with cluster() as address:
            many = grade(pile, options.home, "--scheduler", address)
            taken = compare(options.repeats, {"ours": many, "floor": one})
        yield Row(name="cluster", **taken, unit="s", of_floor=aim)


@contextmanager
def cluster() -> Iterator[str]:
    """Start a local cluster of two workers."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield str(made.scheduler_address)


def fill(pile: Path, lessons: list[Lesson], count: int) -> None:
    """Write solutions and mistakes of every lesson in turn, each for another learner."""
    sources = [
        (lesson.folder.name, path)
        for lesson in lessons
        for path in (
            lesson.folder / "solution.py",
            *sorted((lesson.folder / "mistakes").glob("*.py"))[:2],
        )
    ]
    for index in range(count):
        name, path = sources[index % len(sources)]
        place = pile / f"learner{index:03d}" / f"{name}.py"
        place.parent.mkdir(parents=True)
        shutil.copy(path, place)


def grade(pile: Path, home: Path, *options: str) -> Take:
    """Return a function that runs `grade` and returns its seconds."""
    environ = surroundings(home)
    command = (*TUTOR, "grade", str(pile), "--plain", *options)
    take = process(*command, environ=environ, good=(0, 1))
    return lambda: take() / 1e3
