"""Limits the size of the cache folders; the files unused for longest are deleted."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 128 << 20
"""Per folder. Enough for some thousand compiled programs, or results of solutions."""

DAY = 24 * 60 * 60.0

_STAMP = ".trimmed"


def trim(folders: Iterable[Path], now: float | None = None) -> None:
    """Trim each folder to its limit, at most once a day.

    Deleting a file that another process uses is safe: that process computes it again.
    """
    now = time.time() if now is None else now
    for folder in folders:
        stamp = folder / _STAMP
        with suppress(OSError):
            seen = stamp.stat().st_mtime if stamp.exists() else 0.0
            if folder.is_dir() and not 0 <= now - seen < DAY:
                stamp.touch()
                os.utime(stamp, (now, now))
                _trim(folder)


def _trim(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = [(e.stat(follow_symlinks=False), e.path) for e in entries if e.name != _STAMP]
    room = MOST_BYTES
    for status, path in sorted(files, key=lambda file: -file[0].st_mtime):
        room -= status.st_size
        if room < 0:
            with suppress(OSError):
                Path(path).unlink()
