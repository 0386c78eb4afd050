"""Ends a worker together with everything that it started, and measures the memory of all that.

Where the run has a control group, the kernel knows its processes. Elsewhere they are found in three
ways, since a submission can hide from each one:

- The children of the worker, and theirs. The worker is a subreaper, so a process whose parent has
  ended becomes a child of the worker (prctl(2), PR_SET_CHILD_SUBREAPER).
- A tag in a resource limit. RLIMIT_LOCKS has had no effect since Linux 2.4.25 (setrlimit(2)), every
  process inherits it, even one that replaces its environment, and it can be read from outside in
  `/proc/PID/limits`. So it holds the run's number.
- A tag in the environment, for the processes that start a confined worker and have no such limit.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jaxtutor.core.data.worker_options import RUN_VARIABLE
from jaxtutor.processes import guardian, spawn
from jaxtutor.processes.spawn import Process

IPC_RMID = 0

MOST_PROCESSES = 4
"""Processes of a worker that still gets more time on a busy machine: itself, and its sandbox."""

LOOK_SECONDS = 0.05
"""Time that one look at the processes of a worker may take, in seconds."""

MAX_PASSES = 20
"""How often the remaining processes are looked for; normally the first pass finds none."""


def reap(process: Process) -> None:
    """Kill a worker and everything that it started, and release its pipes and its group."""
    pid = process.popen.pid
    exited = process.popen.poll() is not None
    # A program of the learner's own that ended well may leave others running.
    ends_all = not (process.kind.shares_terminal and exited)
    if process.group is not None and ends_all:
        process.group.kill()
    if process.kind.wrap:  # the first process of a namespace takes all others with it
        _signal(_children(pid), signal.SIGKILL)
    if not process.kind.shares_terminal:
        _end_group(process, exited)
    elif ends_all:
        process.popen.kill()
        _kill_tagged(process)
    if process.guardian is not None:
        guardian.release(process.guardian)
    _release(process)


def _end_group(process: Process, exited: bool) -> None:
    """Kill a worker's process group, and what has left it, and free its shared memory."""
    pid = process.popen.pid
    # A signal to a group reaches a process that is forking and its child. Stopped, they keep their
    # parents, by which the rest is found, and their places in a limit on tasks.
    _signal_group(pid, signal.SIGSTOP)
    family = _stop_all(lambda: descendants(pid))
    _signal_group(pid, signal.SIGKILL)
    _signal(family, signal.SIGKILL)
    # The list of a process's children can lack one while another ends. So unless the worker is
    # alive and well, or where it costs little, all processes are searched.
    if family or exited or process.is_tagged:
        _kill_tagged(process)
    if not process.kind.wrap:  # a namespace's segments end with it
        _remove_segments({pid, *family}, process.born)


def _release(process: Process) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.popen.wait(5)
    if process.group is not None:
        process.group.remove()
    for stream in (process.popen.stdout, process.popen.stderr):
        if stream is not None:
            stream.close()
    for descriptor in (process.request, process.result):
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _kill_tagged(process: Process) -> None:
    kill_tagged(process.run, process.is_tagged, bool(process.kind.wrap))


def kill_tagged(run: str, is_tagged: bool, is_wrapped: bool = False) -> None:
    """Kill the processes that carry the tag of a run, in whatever group."""
    for _ in range(MAX_PASSES):
        found = _stop_all(lambda: _find_tagged(run, is_tagged, is_wrapped))
        if not found:
            return
        _signal(found, signal.SIGKILL)


def _find_tagged(run: str, is_tagged: bool, is_wrapped: bool) -> set[int]:
    found = find_by_limit_tag(spawn.tag_of(run)) if is_tagged else set()
    if is_wrapped or not is_tagged:
        # What starts a confined worker may have forked before it was tagged, and one of its
        # processes stays while anything of the worker is running.
        found |= find_by_environment_tag(run)
    return found


def _stop_all(find: Callable[[], set[int]]) -> set[int]:
    """Stop the processes that `find` returns until it returns no others, and return them all."""
    stopped: set[int] = set()
    for _ in range(MAX_PASSES):
        others = find() - stopped
        if not others:
            break
        _signal(others, signal.SIGSTOP)
        stopped |= others
    return stopped


def descendants(pid: int, until: float = float("inf")) -> set[int]:
    """Return the processes below one in the tree of parents; those found at the time `until`."""
    found: set[int] = set()
    waiting = [pid]
    while waiting and time.monotonic() < until:
        children = set(_children(waiting.pop())) - found
        found |= children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    tasks = Path(f"/proc/{pid}/task")
    try:
        texts = [(task / "children").read_text() for task in tasks.iterdir()]
    except OSError:  # it has ended, or this system has no such list
        return [] if tasks.parent.parent.is_dir() else _children_from_psutil(pid)
    return [int(child) for text in texts for child in text.split()]


def _children_from_psutil(pid: int) -> list[int]:
    import psutil

    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children()]
    return []


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _signal_group(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def find_by_limit_tag(tag: int) -> set[int]:
    """Return the running processes whose unused resource limit holds a tag."""
    found, words = set(), str(tag).encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if words in (entry / "limits").read_bytes() and not _has_ended(entry):
                    found.add(int(entry.name))
    return found


def _has_ended(entry: Path) -> bool:
    """Return whether a process is only waiting for its parent to notice that it has ended."""
    return (entry / "stat").read_bytes().rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])


def find_by_environment_tag(run: str) -> set[int]:
    """Return the running processes whose environment holds a run's id."""
    import psutil

    found = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(RUN_VARIABLE) == run:
                found.add(process.pid)
    return found


# ---------------------------------------------------------------- memory


class Segment(NamedTuple):
    """A segment of System V shared memory: who created it, when, and how many bytes are in use."""

    id: int
    creator: int
    created: int
    resident: int


def _segments() -> Iterator[Segment]:
    """Yield all segments of this machine; see proc_sysvipc(5)."""
    try:
        header, *lines = Path("/proc/sysvipc/shm").read_text().splitlines()
    except (OSError, ValueError):
        return
    names = header.split()
    for line in lines:
        row = dict(zip(names, map(int, line.split()), strict=False))
        yield Segment(row["shmid"], row["cpid"], row["ctime"], row.get("rss", row["size"]))


def _remove_segments(creators: set[int], since: float) -> None:
    """Remove the segments that processes of a run have created: they outlive every process."""
    left = [it for it in _segments() if it.creator in creators and it.created >= int(since)]
    if left:
        import ctypes

        for segment in left:
            ctypes.CDLL(None).shmctl(segment.id, IPC_RMID, None)


def starved_seconds(pid: int) -> float:
    """Return for how long the threads of a worker were ready to run without a CPU, in all.

    Their delays add, since one often waits for the result of another that gets no CPU. 0.0 where
    the system does not report it, and for a worker with more processes than a check starts: a
    submission that fills the machine must not gain time by that. The second number of
    `/proc/PID/task/TID/schedstat` is that time in nanoseconds (sched-stats.rst in Linux's docs).
    """
    family = {pid} | descendants(pid, time.monotonic() + LOOK_SECONDS)
    if len(family) > MOST_PROCESSES:
        return 0.0
    delays = 0
    for member in family:
        for task in _tasks(member):
            with contextlib.suppress(OSError, ValueError, IndexError):
                delays += int((task / "schedstat").read_text().split()[1])
    return delays / 1e9


def _tasks(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def exceeds_memory(pid: int, limit: int, until: float) -> bool:
    """Return whether a process and those below it have more than `limit` bytes of memory.

    Pages that are shared count once. Files in memory (memfd_create(2)) and System V segments count
    although they may be mapped nowhere. Looking stops at the monotonic time `until`, since looking
    at many processes takes long.
    """
    family = {pid} | descendants(pid, until)
    in_files = _sum_files(family, until)
    # What a fork shares with its parent is resident in both, and finding out takes longer.
    if _sum(family, _resident, until) + in_files <= limit:
        return False
    return _sum(family, _own_memory, until) + in_files > limit


def _sum(pids: Iterable[int], measure: Callable[[int], int], until: float) -> int:
    """Add up a measure of processes, some of which may have ended."""
    import psutil

    total = 0
    for pid in pids:
        if time.monotonic() > until:
            break
        with contextlib.suppress(psutil.Error, OSError):
            total += measure(pid)
    return total


def _resident(pid: int) -> int:
    import psutil

    return int(psutil.Process(pid).memory_info().rss)


def _own_memory(pid: int) -> int:
    """Return a process's memory with its share of shared pages, or 0 if that is unknown."""
    import psutil

    full = psutil.Process(pid).memory_full_info()
    return int(getattr(full, "pss", full.uss))


def _sum_files(pids: Iterable[int], until: float) -> int:
    """Return the bytes of the files in memory that processes have open, each counted once."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
            for entry in entries:
                if time.monotonic() > until:
                    break
                with contextlib.suppress(OSError):
                    if os.readlink(entry.path).startswith(("/memfd:", "/dev/shm/")):  # noqa: PTH115
                        status = os.stat(entry.path)  # noqa: PTH116
                        sizes[status.st_dev, status.st_ino] = status.st_blocks * 512
    segments = sum(it.resident for it in _segments() if it.creator in set(pids))
    return sum(sizes.values()) + segments
