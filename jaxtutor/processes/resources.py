"""Measures the memory that a worker and all that it started use."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jaxtutor.processes.process_tree import descendants


class Segment(NamedTuple):
    """A segment of System V shared memory: who created it, when, and how many bytes are in use."""

    id: int
    creator: int
    created: int
    resident: int


def shared_segments() -> Iterator[Segment]:
    """Yield all segments of this machine; see proc_sysvipc(5)."""
    try:
        header, *lines = Path("/proc/sysvipc/shm").read_text().splitlines()
    except (OSError, ValueError):
        return
    names = header.split()
    for line in lines:
        row = dict(zip(names, map(int, line.split()), strict=False))
        yield Segment(row["shmid"], row["cpid"], row["ctime"], row.get("rss", row["size"]))


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
    segments = sum(it.resident for it in shared_segments() if it.creator in set(pids))
    return sum(sizes.values()) + segments
