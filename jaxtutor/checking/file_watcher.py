"""Owns the watch over the learner's file: a thread that looks at it by name and tells of saves.

It polls. Notifications differ between systems, miss saves by rename, and are absent on network
file systems; a look costs some microseconds and is the same everywhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from os import stat_result
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from jaxtutor.core.debounce import (
    Absent,
    Content,
    Debouncer,
    FileEvent,
    FileState,
    Stamp,
    Unchanged,
    Unreadable,
)
from jaxtutor.storage import workspace

PATIENCE = 2.0
"""Seconds until a file system that does not answer is told of."""

Tell = Callable[[Path, FileEvent], None]


def look(path: Path, expected: Stamp | None) -> FileState:
    """Look at the file; read it unless it has the expected stamp. Raise nothing."""
    try:
        if expected is not None and _stamp(path.stat()) == expected:
            return Unchanged()
        status, data = workspace.look(path)
    except (FileNotFoundError, NotADirectoryError):
        return Absent()
    except OSError as error:
        return Unreadable(workspace.explain(error))
    return Content(_stamp(status), data)


def _stamp(status: stat_result) -> Stamp:
    # The change time catches an edit after which somebody set the modification time back.
    others = status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns
    return Stamp(status.st_mtime_ns, others)


class PollingThread:
    """A thread that looks, so that a file system that hangs holds up nobody else.

    It goes on looking by itself while nothing changes: a hand-over costs more than a look.
    """

    def __init__(self) -> None:
        self._asked: SimpleQueue[tuple[Path, Stamp | None, float] | None] = SimpleQueue()
        self._seen: SimpleQueue[FileState | None] = SimpleQueue()
        self._closed = False
        self.busy = False
        threading.Thread(target=self._work, name="eye", daemon=True).start()

    def look(self, path: Path, expected: Stamp | None, pause: float) -> FileState | None:
        """Look, or wait on for a look that did not come back; None after `close`.

        While the file has the expected stamp, look again after each pause, for a while.
        """
        if not self.busy:
            self._asked.put((path, expected, pause))
            self.busy = True
        try:
            seen = self._seen.get(timeout=PATIENCE)
        except Empty:
            return Unreadable("the file system does not answer")
        self.busy = False
        return seen

    def close(self) -> None:
        """End the thread as soon as the system lets it."""
        self._closed = True
        self._asked.put(None)
        self._seen.put(None)

    def _work(self) -> None:
        while asked := self._asked.get():
            self._seen.put(self._look_for_news(*asked))

    def _look_for_news(self, path: Path, expected: Stamp | None, pause: float) -> FileState:
        end = time.monotonic() + PATIENCE / 4
        while True:
            seen = look(path, expected)
            if self._closed or not isinstance(seen, Unchanged) or time.monotonic() > end:
                return seen
            time.sleep(pause)


@dataclass(frozen=True)
class WatchedFile:
    """What is being watched: a name, what is known of the file, and who looks."""

    path: Path
    settling: Debouncer
    eye: PollingThread


class FileWatcher:
    """Tells of every settled change of one file, in order, until stopped.

    `tell` is called from the watch's own thread, never twice at a time, with the path that the
    event belongs to. While it runs nothing is looked at; afterwards the newest state is told, so
    what was saved last is never missed.
    """

    def __init__(
        self,
        path: Path,
        tell: Tell,
        known: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to watch. `known` are bytes not to be told of; without it the first read is."""
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._target: WatchedFile | None = WatchedFile(path, Debouncer(known), PollingThread())
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def retarget(self, path: Path, known: bytes | None = None) -> None:
        """Watch another file from now on. An event of the old one may be on its way already."""
        self._aim(WatchedFile(path, Debouncer(known), PollingThread()))

    def stop(self) -> None:
        """Stop, and wait for a call of `tell` that is under way."""
        self._aim(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _aim(self, target: WatchedFile | None) -> None:
        with self._lock:
            old, self._target = self._target, target
        if old:
            old.eye.close()
        self._wake.set()

    def _run(self) -> None:
        while target := self._target:
            now = self._clock()
            expected = target.settling.expected_stamp(now)
            seen = target.eye.look(target.path, expected, target.settling.pause(now))
            now = self._clock()
            event = target.settling.observe(now, seen) if seen else None
            if self._target is not target:
                continue
            if event:
                self._tell(target.path, event)
            if self._wake.wait(target.settling.pause(now)):
                self._wake.clear()
