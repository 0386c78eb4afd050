"""Measures the memory of the session, a spare and a worker, and the peak of all together."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing

import psutil

from benchmarks import Columns, Options, Row
from benchmarks.interleave import surroundings
from benchmarks.kernels import Kernel
from benchmarks.lessons import choose, file_of, save
from benchmarks.machine import memory, tree
from benchmarks.screens import Screen
from benchmarks.warm import PASSED, Calls, calm, open_session, open_watch
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "memory, at rest and at the most while a save is checked",
    floor="jax by itself",
    rival="a kernel with jax",
    notes=(
        "PSS: pages that processes share are divided among them. USS: what ending one gives back.",
        "All of these ran at once, so that they share alike. The editor is left out.",
    ),
)
TUTOR_MOST, OF_FLOOR = 60.0, 2.2
MEASURES = ("PSS", "USS", "RSS")
USUAL = ("safe-clip-positive",)
SLOW = "import time\ntime.sleep(0.6)\n"
LOOK_SECONDS = 0.03

Sizes = dict[str, float]


def run(options: Options) -> Iterator[Row]:
    """Measure a session, then `check --watch`."""
    for lesson in choose(options, USUAL)[:1]:
        with Kernel(surroundings(options.home)) as kernel, closing(Calls(lesson)) as bare:
            kernel.run("import jax, jax.numpy as jnp; jax.jit(jnp.sin)(jnp.ones(3))")
            for place, opened in (("start", open_session), ("watch", open_watch)):
                home = options.home / place
                save(file_of(home, lesson), lesson.solution)
                with closing(opened(home, lesson)) as screen:
                    taken = _look(screen, lesson, options, bare, kernel, place)
                yield from _rows(place, taken)


def _look(
    screen: Screen, lesson: Lesson, options: Options, bare: Calls, kernel: Kernel, place: str
) -> Mapping[str, list[Sizes]]:
    """Measure at rest, then during a check that is long enough to be observed."""
    taken: dict[str, list[Sizes]] = defaultdict(list)
    file = file_of(options.home / place, lesson)
    for index in range(options.repeats):
        calm(screen, bare)
        for name, sizes in _now(screen.pid).items():
            taken[name].append(sizes)
        taken["floor"].append(memory(bare.pid))
        taken["rival"].append(memory(kernel.pid))
        save(file, f"{lesson.solution}{SLOW}# {index}\n")
        most = _most(screen)
        taken["worker"].append(most["spare"])
        taken["most"].append(most["whole"])
    return taken


def _most(screen: Screen) -> dict[str, Sizes]:
    """Measure while a check runs and the next spare starts, and return the largest values."""
    most: dict[str, Sizes] = {name: dict.fromkeys(MEASURES, 0.0) for name in ("spare", "whole")}
    screen.seen = b""
    end = time.monotonic() + 20.0
    while time.monotonic() < end:
        now = _now(screen.pid)
        for name, sizes in most.items():
            for measure in MEASURES:
                sizes[measure] = max(sizes[measure], now[name][measure])
        screen.take(LOOK_SECONDS)
        if b"passed" in screen.seen or PASSED in screen.seen:
            end = min(end, time.monotonic() + 3.0)  # until the next spare is ready
            screen.seen = b""
    return most


def _now(pid: int) -> dict[str, Sizes]:
    """Return the memory of a session's processes by their role."""
    sums = {name: dict.fromkeys(MEASURES, 0.0) for name in ("tutor", "spare", "whole")}
    for process in tree(pid):
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        if "jaxtutor" not in " ".join(words):
            continue  # the editor
        kind = "spare" if "jaxtutor.worker" in words else "tutor"
        for measure, size in memory(process.pid).items():
            sums[kind][measure] += size
            sums["whole"][measure] += size
    return sums


def _rows(place: str, taken: Mapping[str, list[Sizes]]) -> Iterator[Row]:
    for measure in MEASURES:
        for name in ("tutor", "spare", "worker", "whole", "most"):
            yield Row(
                name=f"{place} {measure}: {name}",
                ours=[sizes[measure] for sizes in taken[name]],
                floor=[sizes[measure] for sizes in taken["floor"]],
                rival=[sizes[measure] for sizes in taken["rival"]],
                unit="MB",
                aim=TUTOR_MOST if name == "tutor" else None,
                of_floor=OF_FLOOR if name in ("whole", "most") else None,
            )
