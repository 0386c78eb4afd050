"""Profiles one cold and one warm check: `./dev bench profile check LESSON`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import ROOT
from benchmarks.interleave import TUTOR, process, surroundings
from benchmarks.lessons import file_of, save
from benchmarks.machine import wait_until_quiet
from benchmarks.screens import Screen
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

HOOKS = ROOT / "benchmarks" / "hooks"
PLACE = "/var/tmp"
Taken = tuple[list[list[object]], float, float]
LEAST = 0.1
"""The shortest activity that is drawn, in ms."""


@dataclass
class Span:
    """An activity of one process: its label, start, duration, and the activities inside it."""

    label: str
    start: float
    end: float
    times: int = 1
    inner: list[Span] = field(default_factory=list)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.total = self.end - self.start


def main(words: list[str]) -> int:
    """Profile the cold and the warm check of one lesson."""
    parser = argparse.ArgumentParser(prog="dev bench profile", description=__doc__)
    parser.add_argument("command", choices=["check"])
    parser.add_argument("lesson", nargs="?", default="safe-clip-positive")
    parser.add_argument("--file", type=Path, help="a submission; the solution if not given")
    parser.add_argument("--course", type=Path, help="another course, which is trusted")
    given = parser.parse_args(words)
    lesson = load_course(given.course).find(given.lesson)
    check = [*TUTOR, "check", lesson.slug]
    check += ["--course", str(given.course.resolve())] if given.course else []
    with tempfile.TemporaryDirectory(dir=PLACE) as home:
        text = given.file.read_text(encoding="utf-8") if given.file else lesson.solution
        _say(f"cold: jaxtutor check {lesson.slug}, ms from the start of the process")
        _say(*draw(*_cold(Path(home), lesson, text, check)))
        _say("", f"warm: a save under jaxtutor check {lesson.slug} --watch, ms from the save")
        _say(*draw(*_warm(Path(home), lesson, text, check)))
    return 0


def _cold(home: Path, lesson: Lesson, text: str, check: list[str]) -> Taken:
    """Run `check` once to cache the solution's answers, then again with recording."""
    save(file_of(home, lesson), text)
    trusting = surroundings(home, JAXTUTOR_TRUST_COURSE="yes")
    process(*check, environ=trusting, good=(0, 1))()
    notes = home / "cold.notes"
    began = time.monotonic()
    subprocess.run(check, env=_noting(home, notes), capture_output=True, check=False)
    return _read(notes), began, time.monotonic()


def _warm(home: Path, lesson: Lesson, text: str, check: list[str]) -> Taken:
    """Save under `check --watch` with a spare ready."""
    notes = home / "warm.notes"
    with closing(Screen([*check, "--watch"], _noting(home, notes))) as screen:
        screen.until(b" on cpu:")
        wait_until_quiet([screen.pid])
        screen.take_for(0.1)
        began = time.monotonic()
        save(file_of(home, lesson), text + "# saved\n")
        screen.until(b" on cpu:")
        ended = time.monotonic()
        screen.take_for(0.2)  # the last records
    return _read(notes), began, ended


def _noting(home: Path, notes: Path) -> dict[str, str]:
    path = os.pathsep.join((str(HOOKS), str(ROOT)))
    return surroundings(home, PYTHONPATH=path, BENCH_TIMES=str(notes), JAXTUTOR_TRUST_COURSE="yes")


def _read(notes: Path) -> list[list[object]]:
    return [json.loads(line) for line in notes.read_text(encoding="utf-8").splitlines()]


def draw(notes: Sequence[Sequence[object]], began: float, ended: float) -> Iterator[str]:
    """Draw the activities between two times as one tree per process, with equal ones combined."""
    yield f"{'at':>8}{'took':>9}{'itself':>9}{'times':>7}"
    spans: dict[tuple[object, object], list[Span]] = {}
    for pid, thread, label, start, end in notes:
        if began <= float(end) and float(start) <= ended:  # type: ignore[arg-type]
            span = Span(str(label), max(float(start), began), float(end))  # type: ignore[arg-type]
            spans.setdefault((pid, thread), []).append(span)
    seen: set[object] = set()
    for (pid, _), flat in sorted(spans.items(), key=lambda item: item[1][0].start):
        yield f"process {pid}{', another thread' if pid in seen else ''}"
        yield from _lines(gather(flat), began, 1)
        seen.add(pid)
    yield f"{(ended - began) * 1e3:8.1f}  the end"
    yield from _sum_up([span for flat in spans.values() for span in flat])


def _sum_up(flat: Sequence[Span]) -> Iterator[str]:
    """Return how many programs jax traced, lowered and compiled, and the seconds for each step."""
    for what in ("trace", "lower", "compile"):
        times = [span.end - span.start for span in flat if span.label.startswith(f"jax: {what}")]
        yield f"{len(times):8d} of {what}, {sum(times) * 1e3:.1f} ms in all"


def gather(flat: Sequence[Span]) -> list[Span]:
    """Put each span into the shortest one that contains it, and combine equal neighbours."""
    roots: list[Span] = []
    stack: list[Span] = []
    for span in sorted(flat, key=lambda span: (span.start, -span.end)):
        while stack and span.end > stack[-1].end:
            stack.pop()
        (stack[-1].inner if stack else roots).append(span)
        stack.append(span)
    return merge(roots)


def merge(spans: Sequence[Span]) -> list[Span]:
    """Combine spans with the same label, in the order of their first start."""
    merged: dict[str, Span] = {}
    for span in spans:
        first = merged.setdefault(span.label, span)
        if first is not span:
            first.times += span.times
            first.total += span.total
            first.inner += span.inner
    for span in merged.values():
        span.inner = merge(span.inner)
    return list(merged.values())


def _lines(spans: Sequence[Span], began: float, depth: int) -> Iterator[str]:
    for span in spans:
        if span.total * 1e3 < LEAST and span.label != "python has started":
            continue
        at, took = (span.start - began) * 1e3, span.total * 1e3
        own = took - sum(inner.total for inner in span.inner) * 1e3
        times = f"{span.times:7d}" if span.times > 1 else " " * 7
        yield f"{at:8.1f}{took:9.1f}{own:9.1f}{times}  {'  ' * depth}{span.label}"
        yield from _lines(span.inner, began, depth + 1)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()
