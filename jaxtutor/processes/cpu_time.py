"""Measures for how long a worker wanted a CPU and had none, because other programs had them.

That time is not the submission's. What its own threads and processes take from each other is.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jaxtutor.processes.process_tree import descendants

LOOK_SECONDS = 0.1
"""How often a worker is measured: the shorter, the more of its waiting is seen."""

LOOK_SHARE = 20
"""A measurement is repeated after this many times as long as it took, if that is longer."""

MOST_PROCESSES = 4
"""Processes of a worker that still gets more time on a busy machine: itself, and its sandbox."""

SEARCH_SECONDS = 0.05
"""Time that the search for the processes of a worker may take."""


class ThreadTimes(NamedTuple):
    """For how long a thread ran, and for how long it was ready to run and waited, in seconds."""

    ran: float = 0.0
    waited: float = 0.0


@dataclass(frozen=True)
class CpuUse:
    """The CPU time of a worker and all that it started, in seconds, until the time `at`.

    `processes` have, by number, what each used, with its threads and children that have ended, but
    only in hundredths of a second.
    """

    at: float
    processes: dict[int, float]
    threads: dict[int, ThreadTimes]


def starved_between(before: CpuUse, after: CpuUse) -> float:
    """Return for how long a worker wanted a CPU and had none between two measurements.

    That is as long as the thread that wanted one most, less what all threads had: while a thread
    waits for another of the same worker, the other runs. A system counts a wait when it is over,
    so that it may appear longer than the time between the measurements.
    """
    used = sum(it - before.processes.get(pid, 0.0) for pid, it in after.processes.items())
    ran, wanted = 0.0, 0.0
    for tid, times in after.threads.items():
        earlier = before.threads.get(tid, ThreadTimes())
        ran += times.ran - earlier.ran
        wanted = max(wanted, sum(times) - sum(earlier))
    return max(0.0, min(wanted, after.at - before.at) - max(used, ran))


class StarvedTime:
    """Adds up the time in which a worker wanted a CPU and had none, while it is watched."""

    def __init__(self, pid: int) -> None:
        self.seconds = 0.0
        self._pid = pid
        self._last: CpuUse | None = None
        self._next = 0.0

    def look(self) -> None:
        """Add what has come since the last look, unless that was a moment ago."""
        begin = time.monotonic()
        if begin < self._next:
            return
        use = measure_cpu(self._pid)
        if self._last is not None and use is not None:
            self.seconds += starved_between(self._last, use)
        self._last = use
        end = time.monotonic()
        self._next = begin + max(LOOK_SECONDS, LOOK_SHARE * (end - begin))


def measure_cpu(pid: int) -> CpuUse | None:
    """Measure the CPU time of a worker; None where the system does not report it.

    It is None, too, for a worker with more processes than a check starts: a submission that fills
    the machine must not gain time by that.
    """
    family = {pid} | descendants(pid, time.monotonic() + SEARCH_SECONDS)
    if len(family) > MOST_PROCESSES:
        return None
    try:
        threads = {tid: times for it in family for tid, times in _threads_of(it)}
        return CpuUse(time.monotonic(), {it: _process_time(it) for it in family}, threads)
    except (OSError, ValueError, IndexError):  # one has ended meanwhile, or the form is another
        return None


def _threads_of(pid: int) -> Iterator[tuple[int, ThreadTimes]]:
    """Read the times of a process's threads; see sched-stats.rst in Linux's documentation."""
    for name in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - ten times a second
        try:
            with open(f"/proc/{pid}/task/{name}/schedstat", "rb") as file:  # noqa: PTH123
                ran, waited, _ = map(int, file.read().split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended
        yield int(name), ThreadTimes(ran / 1e9, waited / 1e9)


def _process_time(pid: int) -> float:
    """Read the CPU time of a process and of its children that have ended; see proc_pid_stat(5)."""
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
