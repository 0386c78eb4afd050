"""Reads the tree of processes below a worker.

The worker is a subreaper, so a process whose parent has ended becomes a child of the worker
(prctl(2), PR_SET_CHILD_SUBREAPER).
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path


def descendants(pid: int, until: float = float("inf")) -> set[int]:
    """Return the processes below one in the tree of parents; those found at the time `until`."""
    found: set[int] = set()
    waiting = [pid]
    while waiting and time.monotonic() < until:
        children = set(children_of(waiting.pop())) - found
        found |= children
        waiting += children
    return found


def children_of(pid: int) -> list[int]:
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
