"""Runs thousands of mutated programs in supervised processes, and checks each diagnosis.

A process that does not answer is killed, and a new one continues with the next program.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trials import Figure

ROOT = Path(__file__).resolve().parents[2]
FIRST = 100_000
"""The first seed. `python -m trials.fuzz.driver SEED 1 1` runs one program again."""
EACH = 60
"""Programs in one process. It is limited because JAX's caches grow."""
PATIENCE = 90.0
"""Seconds without an answer. A program ends itself earlier, unless compiled code is running."""
SIDE_BY_SIDE = 2


def run(count: int, first: int = FIRST) -> tuple[Figure, ...]:
    """Run a number of mutated programs and yield the figures."""
    outcomes = list(outcomes_of(first, count))
    classes = Counter(str(said["class"]) for said in outcomes)
    judged = [said for said in outcomes if said["class"] not in ("ended", "silent")]
    wrong = [said for said in judged if said["wrong"]]
    slow = [said for said in judged if said.get("beyond", 0) > 1]
    named = sum(bool(said.get("causes")) and said["causes"] != [None] for said in outcomes)
    detail = (
        f"{named:,} with a cause, {sum(said.get('fixes', 0) for said in outcomes):,} edits,"
        f" {classes['ended'] + classes['silent']:,} had no end; "
        + ", ".join(f"{name} {number:,}" for name, number in classes.most_common(6))
    )
    return (
        Figure(
            promise="a mutated program is diagnosed, with places that exist in it",
            tried=len(judged),
            held=len(judged) - len(wrong),
            detail=detail,
            failures=tuple(
                f"seed {said['seed']} ({said['name']}): {said['wrong'][0]}" for said in wrong[:40]
            ),
        ),
        Figure(
            promise="diagnosis and edits take no second beyond the program",
            tried=len(judged),
            held=len(judged) - len(slow),
            detail=f"longest {max((said.get('beyond', 0) for said in judged), default=0):.2f} s",
            failures=tuple(f"seed {said['seed']}: {said['beyond']:.2f} s" for said in slow),
        ),
    )


def outcomes_of(first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield the result of each program, from several processes at once."""
    watched = [_Watched(first + n, count // SIDE_BY_SIDE) for n in range(SIDE_BY_SIDE)]
    try:
        while any(one.has_more for one in watched):
            for one in watched:
                yield from one.next()
    finally:
        for one in watched:
            one.end()


class _Watched:
    """Runs one process at a time, with every n-th program from a seed."""

    def __init__(self, seed: int, count: int) -> None:
        self._next, self._left = seed, count
        self._process: subprocess.Popen[bytes] | None = None
        self._begun: int | None = None
        self._unread = b""

    @property
    def has_more(self) -> bool:
        return self._left > 0

    def next(self) -> Iterator[dict[str, Any]]:
        """Return the next message of the process, or None after the time limit."""
        if not self.has_more:
            return
        if self._process is None:
            self._process = self._start()
        said = self._read(self._process)
        if said is None:
            if self._begun is not None:
                yield {
                    "seed": self._begun,
                    "name": "",
                    "class": "silent",
                    "wrong": [],
                    "swallowed": {},
                }
                self._done()
            self.end()
        elif "begins" in said:
            self._begun = said["begins"]
        else:
            yield said
            self._done()

    def _done(self) -> None:
        self._begun = None
        self._next += SIDE_BY_SIDE
        self._left -= 1

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-W", "ignore", "-m", "trials.fuzz.driver"]
        seeds = map(str, (self._next, SIDE_BY_SIDE, min(EACH, self._left)))
        path = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
        return subprocess.Popen(
            [*command, *seeds],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )

    def _read(self, process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
        """Read one line. Return None after the time limit, or if the process has ended."""
        assert process.stdout is not None
        while b"\n" not in self._unread:
            if not select.select([process.stdout], [], [], PATIENCE)[0]:
                return None
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def end(self) -> None:
        """Kill the process if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process, self._unread = None, b""
