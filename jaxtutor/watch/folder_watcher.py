"""Waits until files in folders have changed, by their times and sizes."""

from __future__ import annotations

import stat
import time
from contextlib import suppress
from pathlib import Path

POLL = 0.3
"""Seconds between two looks at the files."""

Times = dict[Path, tuple[int, int]]


def read_times(folders: set[Path]) -> Times:
    """Return the modification time, in nanoseconds, and the size of every file."""
    found: Times = {}
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            with suppress(OSError):
                status = path.stat()
                if stat.S_ISREG(status.st_mode) and path.suffix != ".pyc":
                    found[path] = (status.st_mtime_ns, status.st_size)
    return found


def wait_for_change(folders: set[Path], seen: Times) -> tuple[Times, set[Path]]:
    """Wait until files differ from those seen and are the same at two looks; return which."""
    last = seen
    while True:
        time.sleep(POLL)
        now = read_times(folders)
        if now == last != seen:
            paths = now.keys() | seen.keys()
            return now, {path for path in paths if now.get(path) != seen.get(path)}
        last = now
