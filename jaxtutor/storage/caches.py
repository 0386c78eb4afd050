"""Reads, writes and limits the cache folders; the files unused for longest are deleted."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from jaxtutor.storage.workspace import look

MOST_BYTES = 128 << 20
"""Per folder. Enough for some thousand compiled programs, or results of solutions."""

LARGEST_FILE = 16 << 20
"""Bytes. A larger file is not read; the index of a thousand lessons has 2 MB."""

DAY = 24 * 60 * 60.0

STAMP = ".trimmed"
"""The empty file in each folder whose time is that of the last trim."""


def read(path: Path) -> bytes:
    """Return the bytes of a cached file; none if it cannot be read or belongs to another user."""
    try:
        status, data = look(path, LARGEST_FILE, follows_link=False)
    except OSError:
        return b""
    is_own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    return data if is_own and len(data) <= LARGEST_FILE else b""


def write(path: Path, data: bytes) -> None:
    """Replace a cached file in one step, and trim its folder. Where that fails, nothing happens."""
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        trim((path.parent,))


def trim(folders: Iterable[Path], now: float | None = None) -> None:
    """Trim each folder to its limit, at most once a day.

    Deleting a file that another process uses is safe: that process computes it again.
    """
    now = time.time() if now is None else now
    for folder in folders:
        stamp = folder / STAMP
        with suppress(OSError):
            seen = stamp.stat().st_mtime if stamp.exists() else 0.0
            if folder.is_dir() and not 0 <= now - seen < DAY:
                stamp.touch()
                os.utime(stamp, (now, now))
                _trim(folder)


def _trim(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = [(e.stat(follow_symlinks=False), e.path) for e in entries if e.name != STAMP]
    room = MOST_BYTES
    for status, path in sorted(files, key=lambda file: -file[0].st_mtime):
        room -= status.st_size
        if room < 0:
            with suppress(OSError):
                Path(path).unlink()
