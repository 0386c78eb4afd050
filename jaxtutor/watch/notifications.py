"""Ends a wait when something in a file's folder changes, where the system says so (inotify(7)).

Notifications only shorten waits: what is true of a file is found by polling it. They are used
without a library, because those in use start a process to find libc (inotify-simple), or collect
events before they report them (watchfiles, watchdog).
"""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

COLLECT = 0.001
"""Seconds to wait for the events that follow the first, so that a flood of them costs little."""

# From inotify.h: modify, attrib, close_write, moved_from, moved_to, create, delete, move_self.
_EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x800
_BUFFER = 1 << 16


class FolderNotifications:
    """Notifications about the folder of a file, and that of the file it links to."""

    def __init__(self, path: Path) -> None:
        """Raise OSError if the system has no more of them."""
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        self._ready = select.poll()
        self._ready.register(self._descriptor, select.POLLIN)
        # Unlike Path.resolve, realpath does not raise for a loop of links.
        for folder in {path.absolute().parent, Path(os.path.realpath(path)).parent}:
            if libc.inotify_add_watch(self._descriptor, os.fsencode(folder), _EVENTS) < 0:
                self.close()
                raise OSError(ctypes.get_errno(), "inotify_add_watch")

    def wait(self, seconds: float) -> bool:
        """Wait for a change, at most so long; return whether there was one."""
        if not self._ready.poll(seconds * 1000):
            return False
        time.sleep(COLLECT)
        os.read(self._descriptor, _BUFFER)
        return True

    def close(self) -> None:
        """Give the notifications back to the system."""
        os.close(self._descriptor)


def notifications_about(path: Path) -> FolderNotifications | None:
    """Return the notifications about a file, or None where there are none."""
    if sys.platform != "linux":
        return None
    try:
        return FolderNotifications(path)
    except (
        OSError,
        ImportError,
        AttributeError,
    ):  # some Pythons and systems lack ctypes or inotify
        return None
