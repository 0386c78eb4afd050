"""Locks a folder between processes, where the system can."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.01
"""Seconds between two attempts."""


@contextmanager
def locked(folder: Path, patience: float, *, is_shared: bool = False) -> Iterator[None]:
    """Lock a folder; several processes can have it `is_shared`, and one without.

    Raises OSError if the system has no locks for it, and BlockingIOError if others keep it locked
    for `patience` seconds.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
    except ImportError:  # no such lock on this system
        yield
        return
    deadline = time.monotonic() + patience
    handle = os.open(folder, os.O_RDONLY)
    try:
        while True:
            try:
                flock(handle, (LOCK_SH if is_shared else LOCK_EX) | LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(PAUSE)
        yield
    finally:
        os.close(handle)
