"""Measures the session's rows: the delay of a key, the cost of idling, and a save from the editor.

The delay is from writing a key until its character is in the output, for an editor alone and in
the session's upper rows. Idling is the CPU time of both session processes, in percent of a core.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import psutil

from benchmarks import Columns, Options, Row
from benchmarks.interleave import compare, surroundings
from benchmarks.lessons import choose
from benchmarks.machine import wait_until_quiet
from benchmarks.screens import Screen
from benchmarks.warm import open_session
from jaxtutor.content.lesson import Lesson

COLUMNS = Columns(
    "keys: from a key to its letter, in the session's rows",
    floor="the bare editor",
    notes=("Idle: the processor's time that the session takes, in percent of one core.",),
)
EDITORS = {
    "vim": ("vim -Nu NONE -n", "i"),
    "nvim": ("nvim --clean -n", "i"),
    "nano": ("nano -I", ""),
    "micro": ("micro", ""),
    "emacs": ("emacs -nw -Q", ""),
}
SAVES = {
    "vim": (("i(", "\x1b:w\r"), ("", "x:w\r")),
    "nvim": (("i(", "\x1b:w\r"), ("", "x:w\r")),
    "nano": (("(", "\x0f\r"), ("\x7f", "\x0f\r")),
}
"""For some editors, the keys before a save and to save: first to add a fault, then to remove it."""
USUAL = ("safe-clip-positive",)
KEYS_A_ROUND = 8
IDLE_SECONDS = 10.0
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PAUSE = 0.08
ADDED_MOST = 1.0


def run(options: Options) -> Iterator[Row]:
    """Measure each installed editor."""
    (lesson, *_) = choose(options, USUAL)
    for name, (command, insert) in EDITORS.items():
        if shutil.which(name):
            home = options.home / name
            yield from _measure_keys(name, command, insert, home, lesson, options.repeats)
            if name in SAVES:
                yield from _measure_saves(name, command, home, lesson, options.repeats)


def _measure_keys(
    name: str, command: str, insert: str, home: Path, lesson: Lesson, repeats: int
) -> Iterator[Row]:
    home.mkdir(parents=True)
    file = home / "lesson.py"
    file.write_text("import jax\n" * 12)
    environ = surroundings(home, MICRO_CONFIG_HOME=str(home))
    with (
        closing(Screen([*command.split(), str(file)], environ)) as bare,
        closing(open_session(home, lesson, command)) as rows,
    ):
        for screen in (bare, rows):
            screen.type(insert)
            screen.take_for(0.5)
        numbers = {bare: count(), rows: count()}

        def key(screen: Screen) -> float:
            letter = LETTERS[next(numbers[screen]) % len(LETTERS)]
            started = screen.type(letter)
            taken = screen.until(letter.encode()) - started
            screen.take_for(PAUSE)
            return taken * 1e3

        sides = {"ours": lambda: key(rows), "floor": lambda: key(bare)}
        taken = compare(repeats * KEYS_A_ROUND, sides)
        idle = [_idle(rows) for _ in range(min(repeats, 3))]
    added = [mine - its for mine, its in zip(taken["ours"], taken["floor"], strict=True)]
    yield Row(name=name, **taken)
    yield Row(name=f"{name}: added a key", ours=added, aim=ADDED_MOST)
    yield Row(name=f"{name}: idle", ours=idle, unit="%")


def _idle(session: Screen) -> float:
    """Return the CPU time of an idle session's two processes, in percent."""
    ours = psutil.Process(session.pid)
    both = [ours, *(it for it in ours.children() if "session.session" in " ".join(it.cmdline()))]
    before = sum(sum(process.cpu_times()[:2]) for process in both)
    session.take_for(IDLE_SECONDS)
    return (
        float(sum(sum(process.cpu_times()[:2]) for process in both) - before) / IDLE_SECONDS * 100
    )


def _measure_saves(
    name: str, command: str, home: Path, lesson: Lesson, repeats: int
) -> Iterator[Row]:
    """Measure from a save to the panel's verdict, for invalid Python and for the starter."""
    taken: dict[str, list[float]] = {"SyntaxError": [], "TracerBoolConversionError": []}
    with closing(open_session(home / "saves", lesson, command)) as session:
        for _ in range(repeats + 1):
            for words, (before, keys) in zip(taken, SAVES[name], strict=True):
                session.type(before)
                session.take_for(0.4)
                started = session.type(keys)
                taken[words].append((session.until(words.encode()) - started) * 1e3)
                time.sleep(PAUSE)
                session.take_for(PAUSE)
                wait_until_quiet([session.pid])
    for words, times in taken.items():
        yield Row(name=f"{name}: save, {words}", ours=times[1:])
