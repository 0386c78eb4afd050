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
        """Raise OSError if the system has none, or no more of them."""
        if sys.platform != "linux":
            raise OSError("no notifications are known for this system")
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        self._file = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        for folder in sorted({path.absolute().parent, path.resolve().parent}):
            if libc.inotify_add_watch(self._file, os.fsencode(folder), _EVENTS) < 0:
                self.close()
                raise OSError(ctypes.get_errno(), "inotify_add_watch")

    def wait(self, seconds: float) -> bool:
        """Wait for a change, at most so long; return whether there was one."""
        if not select.select([self._file], [], [], seconds)[0]:
            return False
        time.sleep(COLLECT)
        os.read(self._file, _BUFFER)
        return True

    def close(self) -> None:
        """Give the notifications back to the system."""
        os.close(self._file)
