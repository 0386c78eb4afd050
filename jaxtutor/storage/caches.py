"""Owns the room that caches take: what can be found out again goes, longest unused first."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 128 << 20
"""In each folder: some thousands of compiled programs, or answers of solutions."""

DAY = 24 * 60 * 60.0

_STAMP = ".trimmed"


def trim(folders: Iterable[Path], now: float | None = None) -> None:
    """Keep each folder within bounds; one that was seen to within a day is left for later.

    What is in use by another process may go: it is found out again.
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
