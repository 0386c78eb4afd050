"""Defines the ways in which programs save a file, for the trials and the tests.

A way takes the file and the new bytes, and returns the file's final bytes. They differ from the
new bytes only if a way can append but not replace.
"""

from __future__ import annotations

import mmap
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

Way = Callable[[Path, bytes], bytes]

WAYS: dict[str, Way] = {}
SUDDEN: set[str] = set()
"""Ways that never show anything but the old file, no file, or the new one."""
IN_PIECES = frozenset(["emptied_and_slow"])
"""Ways that leave an incomplete text in the file for longer than the watcher may wait."""


def _way(save: Way) -> Way:
    WAYS[save.__name__] = save
    return save


def _sudden(save: Way) -> Way:
    SUDDEN.add(save.__name__)
    return _way(save)


@_way
def in_place(path: Path, data: bytes) -> bytes:
    """Overwrite the file, as nano does."""
    path.write_bytes(data)
    return data


@_way
def without_truncating(path: Path, data: bytes) -> bytes:
    """Overwrite from the first byte, then cut off the rest."""
    with path.open("r+b") as out:
        out.write(data)
        out.truncate()
    return data


@_sudden
def rename_over(path: Path, data: bytes) -> bytes:
    """Write a new file and rename it over the old, as helix does. A link is replaced."""
    beside = path.with_name(f".{path.name}.beside")
    beside.write_bytes(data)
    beside.replace(path)
    return data


@_way
def backup_and_rename(path: Path, data: bytes) -> bytes:
    """Rename the file and write a new one, as vim (backupcopy=no) and emacs do."""
    backup = path.with_name(path.name + "~")
    path.replace(backup)
    time.sleep(random.choice((0.0, 0.002, 0.02)))
    path.write_bytes(data)
    backup.unlink()
    return data


@_way
def emptied_and_slow(path: Path, data: bytes) -> bytes:
    """Empty the file, then write it in pieces with pauses."""
    with path.open("wb", buffering=0) as out:
        time.sleep(random.uniform(0.005, 0.06))
        size = max(len(data) // 4, 1)
        for start in range(0, len(data), size):
            out.write(data[start : start + size])
            time.sleep(random.uniform(0.005, 0.06))
    return data


@_way
def with_the_time_of_old(path: Path, data: bytes) -> bytes:
    """Write, and restore the old modification time, as coarse file systems seem to."""
    before = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return data


@_way
def with_a_whole_second(path: Path, data: bytes) -> bytes:
    """Write, and round the time down to a second."""
    path.write_bytes(data)
    _round_time(path, 1)
    return data


@_way
def with_two_seconds(path: Path, data: bytes) -> bytes:
    """Write, and round the time down to two seconds, as FAT does."""
    path.write_bytes(data)
    _round_time(path, 2)
    return data


def _round_time(path: Path, seconds: int) -> None:
    step = seconds * 10**9
    rounded = path.stat().st_mtime_ns // step * step
    os.utime(path, ns=(rounded, rounded))


@_way
def with_a_time_of_long_ago(path: Path, data: bytes) -> bytes:
    """Write, and set the time back by hours or years, as a clock that was corrected does."""
    path.write_bytes(data)
    past = path.stat().st_mtime - random.choice((3600.0, 1e8))
    os.utime(path, (past, past))
    return data


@_way
def deleted_and_made(path: Path, data: bytes) -> bytes:
    """Delete the file and create it again."""
    path.unlink()
    time.sleep(random.uniform(0.0, 0.06))
    path.write_bytes(data)
    return data


@_way
def by_mapping(path: Path, data: bytes) -> bytes:
    """Write through a memory map."""
    with path.open("r+b") as out:
        out.truncate(len(data))
        with mmap.mmap(out.fileno(), len(data)) as pages:
            pages[:] = data
    return data


@_sudden
def by_exchange(path: Path, data: bytes) -> bytes:
    """Replace the file by a hard link to the new one."""
    beside = path.with_name(f".{path.name}.beside")
    beside.write_bytes(data)
    path.unlink()
    path.hardlink_to(beside)
    beside.unlink()
    return data


@_way
def by_another_name(path: Path, data: bytes) -> bytes:
    """Write to the file under another of its names."""
    other = path.with_name(f".{path.name}.other")
    other.unlink(missing_ok=True)
    other.hardlink_to(path)
    other.write_bytes(data)
    other.unlink()
    return data


@_way
def appended(path: Path, data: bytes) -> bytes:
    """Append the new bytes, as `>>` does."""
    with path.open("ab") as out:
        out.write(data)
    return path.read_bytes()


@_sudden
def by_sed(path: Path, data: bytes) -> bytes:
    """Let `sed -i` replace everything. The text must contain no special characters of sed."""
    script = "1s/.*/" + data.decode().rstrip("\n").replace("\n", "\\n") + "/;2,$d"
    subprocess.run(["sed", "-i", "--follow-symlinks", script, str(path)], check=True)
    return data
