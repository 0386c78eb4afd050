"""Measures the time from a save to the verdict, with a spare worker ready."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

from benchmarks import Columns, Options, Row
from benchmarks.cold import BARE
from benchmarks.interleave import TUTOR, surroundings, take_turns
from benchmarks.kernels import Kernel
from benchmarks.lessons import by_chapter, choose, file_of, forget_programs, needs, save
from benchmarks.machine import wait_until_quiet
from benchmarks.screens import Screen
from benchmarks.table import quartiles
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "warm: from a save by rename to the verdict on the terminal",
    floor="the calls, warm",
    rival="a warm kernel",
    notes=(
        "The calls: a fresh process each time, jax imported and used once. The kernel: one cell",
        "that ran in it before; it reads no file, and its cases are made already. Chapters and",
        "slowest are those of `start`; quartiles of several lessons are over the lessons' medians.",
        "Each save changes a comment, so what was compiled before is found again; unseen: none is.",
        "First known: the status line says of an unseen save that it traces, or more.",
    ),
)
OF_FLOOR, OF_RIVAL, MOST = 1.25, 1.0, 100.0
SLOWEST = 10
MOST_UNTIL_KNOWN = 60.0
PASSED = "✓ passed".encode()
CERTAIN = b" s, "  # follows the time of a running check
NUMBERS = count()
USUAL = ("broadcast-trap", "make-it-fast", "ema-scan", "batch-noise", "grad-argnums", "adam")
"""Lessons of six chapters; each takes a minute of a run. `--sample` takes others."""

AIMS = {
    "start": MOST,
    "start, unseen": MOST,
    "first known": MOST_UNTIL_KNOWN,
    "check --watch": MOST,
}
"""The places at which a save is measured, and their aims in ms."""


def run(options: Options) -> Iterator[Row]:
    """Measure each lesson in both commands, then summarise."""
    rows: dict[str, list[Row]] = {name: [] for name in AIMS}
    lessons = choose(options, USUAL)
    with ExitStack() as stack:
        kernels: dict[str, Kernel] = {}
        for lesson in lessons:
            devices = "".join(needs(lesson).values())
            if devices not in kernels:
                environ = surroundings(options.home, **needs(lesson))
                kernels[devices] = stack.enter_context(Kernel(environ))
            for place, row in _measure(lesson, kernels[devices], options).items():
                rows[place].append(row)
                yield row
    for place, measured in rows.items():
        yield sum_up(f"all, {place}", measured, aim=AIMS[place])
    for chapter in by_chapter(lessons):
        slugs = [lesson.slug for lesson in chapter]
        measured = [row for row in rows["start"] if row.name.partition(",")[0] in slugs]
        yield sum_up(chapter[0].chapter_folder, measured)
    slowest = sorted(rows["start"], key=lambda row: -_median(row.ours))[:SLOWEST]
    yield from (Row(**{**vars(row), "drawn": True}) for row in slowest)


def sum_up(name: str, rows: list[Row], aim: float | None = None) -> Row:
    """Combine several rows into one of their medians, in order."""
    return Row(
        name=name,
        ours=[_median(row.ours) for row in rows],
        floor=[_median(row.floor) for row in rows],
        rival=[_median(row.rival) for row in rows],
        aim=aim,
        of_floor=OF_FLOOR,
        of_rival=OF_RIVAL,
    )


def _median(values: object) -> float:
    return quartiles(values)[1]  # type: ignore[arg-type]


def _measure(lesson: Lesson, kernel: Kernel, options: Options) -> dict[str, Row]:
    """Measure in turn saves in `start` and `check --watch`, the bare calls, and the kernel."""
    homes = {place: options.home / place for place in ("start", "watch")}
    for home in homes.values():
        save(file_of(home, lesson), lesson.solution)
    cell = _prepare(kernel, lesson)
    with (
        closing(open_session(homes["start"], lesson)) as session,
        closing(open_watch(homes["watch"], lesson)) as watch,
        closing(Calls(lesson)) as calls,
    ):
        files = [file_of(home, lesson) for home in homes.values()]
        taken = take_turns(
            options.repeats,
            {
                "start": lambda: save_to(session, files[0], lesson.solution, PASSED),
                "unseen": lambda: save_unseen(session, homes["start"], lesson),
                "known": lambda: save_until_known(session, homes["start"], lesson),
                "watch": lambda: save_to(watch, files[1], lesson.solution, b"passed"),
                "floor": calls.take,
                "rival": lambda: kernel.run(f"{cell}\n# {next(NUMBERS)}"),
            },
            before=lambda: calm(session, watch, calls),
        )
    sides = {"floor": taken["floor"], "rival": taken["rival"]}
    aims = {"of_floor": OF_FLOOR, "of_rival": OF_RIVAL, "drawn": False}
    names = {
        "start": ("start", lesson.slug),
        "start, unseen": ("unseen", f"{lesson.slug}, unseen"),
        "first known": ("known", f"{lesson.slug}, first known"),
        "check --watch": ("watch", f"{lesson.slug}, watch"),
    }
    return {
        place: Row(name=name, ours=taken[key], **sides, **aims)  # type: ignore[arg-type]
        for place, (key, name) in names.items()
    }


def open_session(home: Path, lesson: Lesson, editor: str = "cat -") -> Screen:
    """Start `jaxtutor start` with an editor that does nothing and the panel below."""
    environ = surroundings(home, VISUAL=editor, MICRO_CONFIG_HOME=str(home))
    screen = Screen([*TUTOR, "start", lesson.slug, "--layout", "rows"], environ)
    for _ in lesson.info.predict:
        screen.until(b"skips it")
        screen.type("\r")
    if lesson.info.predict:
        screen.until(b"start the lesson")
        screen.type("\r")
    screen.until(b"edit")
    wait_until_quiet([screen.pid])
    screen.type("\r")
    screen.until(b"F12 keys")
    wait_until_quiet([screen.pid])
    screen.take_for(0.1)
    return screen


def open_watch(home: Path, lesson: Lesson, *more: str) -> Screen:
    """Start `jaxtutor check --watch` on a file that passes."""
    environ = surroundings(home, JAXTUTOR_TRUST_COURSE="yes")
    screen = Screen([*TUTOR, "check", lesson.slug, "--watch", *more], environ)
    screen.until(b"passed")
    wait_until_quiet([screen.pid])
    screen.take_for(0.1)
    return screen


def save_to(screen: Screen, file: Path, text: str, verdict: bytes) -> float:
    """Save, and return the ms until the verdict."""
    screen.seen = b""
    started = time.perf_counter()
    save(file, f"{text}# {next(NUMBERS)}\n")
    return (screen.until(verdict) - started) * 1e3


def save_unseen(session: Screen, home: Path, lesson: Lesson) -> float:
    """Save a text that no check has compiled before, according to jaxtutor's cache."""
    forget_programs(home)
    return save_to(session, file_of(home, lesson), lesson.solution, PASSED)


def save_until_known(session: Screen, home: Path, lesson: Lesson) -> float:
    """Save an unseen text, and return the ms until the status line says what is certain."""
    forget_programs(home)
    milliseconds = save_to(session, file_of(home, lesson), lesson.solution, CERTAIN)
    session.until(PASSED)
    return milliseconds


def calm(*screens: Screen | Calls) -> None:
    """Wait until the work of an earlier save has ended, and read the output meanwhile."""
    for screen in screens:
        screen.take_for(0.0)
    wait_until_quiet([screen.pid for screen in screens])
    for screen in screens:
        screen.take_for(0.02)


class Calls:
    """The bare calls of a lesson in a process that is ready, a new one each time."""

    def __init__(self, lesson: Lesson, file: Path | None = None) -> None:
        file = file or lesson.folder / "solution.py"
        self._command = [sys.executable, str(BARE / "calls.py"), str(lesson.folder)]
        self._command += [lesson.info.function, str(file), "--warm"]
        self._environ = surroundings(Path("/nonexistent"), **needs(lesson))
        self._start()

    def _start(self) -> None:
        self._is_ready = False
        self._popen = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environ,
            text=True,
            bufsize=1,
        )

    @property
    def pid(self) -> int:
        """The id of the process that is ready."""
        return self._popen.pid

    def take_for(self, seconds: float) -> None:
        """Wait until the process is ready. It prints nothing else."""
        del seconds
        if not self._is_ready:
            self._is_ready = self._line() == "ready"

    def take(self) -> float:
        """Return the ms that the calls took."""
        self.take_for(0.0)
        assert self._popen.stdin is not None
        self._popen.stdin.write("\n")
        taken = float(self._line())
        self._popen.wait()
        self._start()
        return taken

    def _line(self) -> str:
        assert self._popen.stdout is not None
        lines = [self._popen.stdout.readline().strip()]
        while lines[-1] != "ready" and not lines[-1].replace(".", "").isdecimal():
            if not lines[-1] and self._popen.poll() is not None:
                raise RuntimeError(f"{self._command} ended with {self._popen.returncode}")
            lines.append(self._popen.stdout.readline().strip())
        return lines[-1]

    def close(self) -> None:
        """End the process."""
        self._popen.kill()
        self._popen.wait()


def _prepare(kernel: Kernel, lesson: Lesson) -> str:
    """Create a lesson's cases in the kernel, and return the cell that a learner would run."""
    kernel.run(
        f"import sys; sys.path.insert(0, {str(BARE)!r})\n"
        "import calls as _calls, jax as _jax, types as _types; from pathlib import Path as _Path\n"
        "_jax.clear_caches(); _calls.warm_up()\n"
        f"_checks = _calls.read(_Path({str(lesson.folder)!r}))"
    )
    name = repr(lesson.info.function)
    return (
        f"{lesson.solution}\n"
        f"for _, _step in _calls.steps(_checks, _types.SimpleNamespace(**globals()), {name}):\n"
        "    _step()"
    )
