"""Watches the learner's file from a thread, and reports each save once it is complete.

It polls the file by name. Notifications (inotify, kqueue, FSEvents) differ between systems, miss
saves by rename, and are absent on network file systems. One stat(2) takes some microseconds.
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

LOOK_TIMEOUT = 2.0
"""Seconds. A file system that does not answer for longer is reported as not readable."""

Notify = Callable[[Path, FileEvent], None]


def look(path: Path, expected: Stamp | None) -> FileState:
    """Stat the file; read it unless its stamp is the expected one. Errors are returned as data."""
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
    # The change time reveals an edit even if the modification time was set back afterwards.
    others = status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns
    return Stamp(status.st_mtime_ns, others)


class PollingThread:
    """A thread that polls, so that a file system that hangs blocks no other thread.

    It polls repeatedly by itself while nothing changes, because passing each request and answer
    between threads takes longer than a stat.
    """

    def __init__(self) -> None:
        self._requests: SimpleQueue[tuple[Path, Stamp | None, float] | None] = SimpleQueue()
        self._answers: SimpleQueue[FileState | None] = SimpleQueue()
        self._closed = False
        self.busy = False
        threading.Thread(target=self._work, name="poll", daemon=True).start()

    def look(self, path: Path, expected: Stamp | None, pause: float) -> FileState | None:
        """Poll the file, or wait for a poll that is still under way; return None after `close`.

        While the file keeps the expected stamp, poll again after each pause, for a while.
        """
        if not self.busy:
            self._requests.put((path, expected, pause))
            self.busy = True
        try:
            seen = self._answers.get(timeout=LOOK_TIMEOUT)
        except Empty:
            return Unreadable("the file system does not answer")
        self.busy = False
        return seen

    def close(self) -> None:
        """End the thread as soon as a blocked system call lets it."""
        self._closed = True
        self._requests.put(None)
        self._answers.put(None)

    def _work(self) -> None:
        while request := self._requests.get():
            self._answers.put(self._poll(*request))

    def _poll(self, path: Path, expected: Stamp | None, pause: float) -> FileState:
        end = time.monotonic() + LOOK_TIMEOUT / 4
        while True:
            seen = look(path, expected)
            if self._closed or not isinstance(seen, Unchanged) or time.monotonic() > end:
                return seen
            time.sleep(pause)


@dataclass(frozen=True)
class WatchedFile:
    """A file under watch: its path, what is known of it, and the thread that polls it."""

    path: Path
    debouncer: Debouncer
    poller: PollingThread


class FileWatcher:
    """Reports every completed change of one file, in order, until stopped.

    `notify` is called from the watcher's own thread, with the path and the event, one call at a
    time. The file is not polled during a call. Afterwards the newest state is reported, so the
    last save is never missed.
    """

    def __init__(
        self,
        path: Path,
        notify: Notify,
        known: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start watching. Contents equal to `known` are not reported; by default the first are."""
        self._notify = notify
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
        """Watch another file from now on; an event of the old file may still follow."""
        self._replace_target(WatchedFile(path, Debouncer(known), PollingThread()))

    def stop(self) -> None:
        """Stop, and wait for a call of `notify` that is under way."""
        self._replace_target(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _replace_target(self, target: WatchedFile | None) -> None:
        with self._lock:
            old, self._target = self._target, target
        if old:
            old.poller.close()
        self._wake.set()

    def _run(self) -> None:
        while target := self._target:
            now = self._clock()
            expected = target.debouncer.expected_stamp(now)
            seen = target.poller.look(target.path, expected, target.debouncer.pause(now))
            now = self._clock()
            event = target.debouncer.observe(now, seen) if seen else None
            if self._target is not target:
                continue
            if event:
                self._notify(target.path, event)
            if self._wake.wait(target.debouncer.pause(now)):
                self._wake.clear()
