"""Tests how long a worker wanted a CPU and had none, on schedules and with real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtutor.processes.cpu_time import (
    LOOK_SECONDS,
    MOST_PROCESSES,
    CpuUse,
    StarvedTime,
    ThreadTimes,
    measure_cpu,
    starved_between,
)
from jaxtutor.processes.process_tree import descendants

WORKER = 1
Wants = tuple[bool, ...]
"""Which threads want a CPU in one tick of a schedule."""

BEYOND = 1e-6
"""The rounding of sums."""


def run_schedule(wanting: Sequence[Wants], free: Sequence[int], every: int) -> tuple[float, float]:
    """Give the free CPUs to the threads that want one, who has waited longest first.

    Return the time that was measured as starved with a look after each `every` ticks, and the time
    in which a thread wanted a CPU and none ran. A wait counts when it is over, as in Linux.
    """
    count = len(wanting[0])
    ran, waited, waiting = [0] * count, [0] * count, [0] * count
    starved, looks = 0, [measured(0, ran, waited)]
    for tick, (wants, cpus) in enumerate(zip(wanting, free, strict=True), 1):
        queue = sorted((it for it in range(count) if wants[it]), key=lambda it: -waiting[it])
        for thread in queue[:cpus]:
            waited[thread] += waiting[thread]
            waiting[thread] = 0
            ran[thread] += 1
        for thread in queue[cpus:]:
            waiting[thread] += 1
        starved += bool(queue) and not cpus
        if tick % every == 0 or tick == len(wanting):
            looks.append(measured(tick, ran, waited))
    return sum(starved_between(*pair) for pair in pairwise(looks)), starved


def measured(at: float, ran: Sequence[float], waited: Sequence[float]) -> CpuUse:
    times = zip(ran, waited, strict=True)
    return CpuUse(at, {WORKER: sum(ran)}, {it: ThreadTimes(*t) for it, t in enumerate(times)})


@st.composite
def schedules(draw: st.DrawFn, least: int, patient: bool = False) -> tuple[list[Wants], list[int]]:
    """Draw which threads want a CPU and how many CPUs other programs leave, at least `least`.

    A thread that is not `patient` may stop wanting a CPU, but only while it does not wait for one.
    """
    threads, ticks = draw(st.integers(1, 6)), draw(st.integers(1, 60))
    free = draw(st.lists(st.integers(least, 3), min_size=ticks, max_size=ticks))
    if patient:
        return [(True,) * threads] * ticks, free
    works = st.lists(st.booleans(), min_size=threads, max_size=threads).map(tuple)
    return draw(st.lists(works, min_size=ticks, max_size=ticks)), free


@given(schedules(least=1, patient=True), st.integers(1, 20))
def test_threads_that_wait_for_each_other_gain_nothing(
    schedule: tuple[list[Wants], list[int]], every: int
) -> None:
    """Where one CPU at least is free, threads that always run are never called starved."""
    assert 0.0 == run_schedule(*schedule, every)[0]


@given(schedules(least=0), st.integers(1, 20))
def test_no_more_than_the_time_without_a_cpu_counts(
    schedule: tuple[list[Wants], list[int]], every: int
) -> None:
    """What the threads used never counts, nor does any time twice."""
    wanting, free = schedule
    used = sum(bool(any(wants) and cpus) for wants, cpus in zip(wanting, free, strict=True))

    assert run_schedule(wanting, free, every)[0] <= len(wanting) - used + BEYOND


@given(schedules(least=0))
def test_a_single_look_never_counts_too_much(schedule: tuple[list[Wants], list[int]]) -> None:
    """Time in which a thread of the worker ran, or none wanted to, is not called starved."""
    counted, starved = run_schedule(*schedule, every=len(schedule[0]))

    assert counted <= starved + BEYOND


@given(st.lists(st.integers(0, 1), min_size=1, max_size=60))
def test_the_waiting_of_a_single_thread_counts(free: list[int]) -> None:
    """A program of one thread is credited all that it waited, once it has run again."""
    free = [*free, 1]
    counted, starved = run_schedule([(True,)] * len(free), free, every=len(free))

    assert (free.count(0), free.count(0)) == (counted, starved)


def test_threads_that_wait_in_turn_are_credited_at_each_look() -> None:
    """A thread that compiles and the one that waits for it are delayed one after the other."""
    first = CpuUse(0.0, {WORKER: 0.0}, {})
    second = CpuUse(1.0, {WORKER: 0.2}, {1: ThreadTimes(0.2, 0.8)})
    third = CpuUse(2.0, {WORKER: 0.3}, {1: ThreadTimes(0.2, 0.8), 2: ThreadTimes(0.1, 0.9)})

    assert 1.7 == pytest.approx(starved_between(first, second) + starved_between(second, third))


def test_what_ended_threads_used_is_not_forgotten() -> None:
    """Threads that end before they are seen count in the time of their process."""
    before = CpuUse(0.0, {WORKER: 5.0}, {1: ThreadTimes(5.0, 0.0)})
    after = CpuUse(1.0, {WORKER: 6.0}, {1: ThreadTimes(5.1, 0.9)})

    assert 0.0 == starved_between(before, after)


# ---------------------------------------------------------------- processes

REPORTED = Path("/proc/self/schedstat").exists() and hasattr(os, "sched_setaffinity")
SPIN = """
import hashlib, os, threading
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def spin():
    while True: hashlib.sha256(data).digest()
data = bytes(1 << 20)
for _ in range(49): threading.Thread(target=spin).start()
print(flush=True)
spin()
"""
PINNED = "import os\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\nwhile True: pass"
PARENT = """
import subprocess, sys
for _ in range(%d): subprocess.Popen(["sleep", "60"])
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def running(code: str) -> Iterator[int]:
    """Run a program from its first line of output on."""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def watch(pid: int, seconds: float) -> tuple[float, float]:
    """Return the time counted as starved, and the wall time less what the worker used."""
    account, begin = StarvedTime(pid), measure_cpu(pid)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        account.look()
        time.sleep(LOOK_SECONDS)
    last = measure_cpu(pid)
    assert begin is not None
    assert last is not None
    return account.seconds, last.at - begin.at - (last.processes[pid] - begin.processes[pid])


@pytest.mark.skipif(not REPORTED, reason="this system does not report it")
def test_spinning_threads_buy_no_time() -> None:
    """Fifty busy threads get no more than the time in which none of them had a CPU."""
    with running(SPIN) as pid:
        counted, unused = watch(pid, 2.0)

    assert counted <= max(0.0, unused) + 2 * LOOK_SECONDS


@pytest.mark.skipif(not REPORTED, reason="this system does not report it")
def test_a_program_that_waits_for_another_is_credited() -> None:
    """Two busy processes on one CPU delay each other."""
    code = PINNED % min(os.sched_getaffinity(0))
    with running(code) as pid, running(code):
        account = StarvedTime(pid)
        end = time.monotonic() + 20
        while account.seconds < 0.3 and time.monotonic() < end:
            account.look()
            time.sleep(LOOK_SECONDS)

    assert account.seconds >= 0.3


@pytest.mark.skipif(not REPORTED, reason="this system does not report it")
@pytest.mark.parametrize(("children", "is_measured"), [(1, True), (MOST_PROCESSES, False)])
def test_many_processes_are_not_measured(children: int, is_measured: bool) -> None:
    """A worker with more processes than a check starts gets no further time."""
    with running(PARENT % children) as pid:
        assert is_measured == (measure_cpu(pid) is not None)
        for child in descendants(pid):
            os.kill(child, 9)


def test_a_worker_that_has_ended_is_not_measured() -> None:
    """Nothing is counted of a process that does not exist."""
    with running("print()") as pid:
        pass

    assert measure_cpu(pid) is None
