"""Watches the learner's file from a thread, and reports each save once it is complete.

It polls the file by name. Notifications (inotify, kqueue, FSEvents) differ between systems, miss
saves by rename, and are absent on network file systems. Where they exist, they end the pause
between two polls early, and the pauses are longer; a save that came without one ends their use.
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
    Saved,
    Stamp,
    Unchanged,
    Unreadable,
)
from jaxtutor.storage import workspace
from jaxtutor.watch.notifications import FolderNotifications, notifications_about

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
    """A thread that polls one file, so that a file system that hangs blocks no other thread.

    It polls repeatedly by itself while nothing changes, because passing each request and answer
    between threads takes longer than a stat.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._requests: SimpleQueue[tuple[Stamp | None, float] | None] = SimpleQueue()
        self._answers: SimpleQueue[FileState | None] = SimpleQueue()
        self._notifications: FolderNotifications | None = None
        self._was_notified = False
        self._closed = False
        self.busy = False
        threading.Thread(target=self._work, name="poll", daemon=True).start()

    @property
    def is_notified(self) -> bool:
        """Whether the system's notifications end a pause early."""
        return self._notifications is not None

    def poll(self, expected: Stamp | None, pause: float) -> FileState | None:
        """Poll after a pause, or wait for a poll that is under way; return None after `close`.

        While the file keeps the expected stamp, poll again after each pause, for a while.
        """
        if not self.busy:
            self._requests.put((expected, pause))
            self.busy = True
        try:
            seen = self._answers.get(timeout=LOOK_TIMEOUT)
        except Empty:
            return Unreadable("the file system does not answer")
        self.busy = False
        return seen

    def check_notifications(self) -> None:
        """Stop using notifications if a save came without one. Call it for each save."""
        if not self._was_notified:
            self._notifications = None
        self._was_notified = False

    def close(self) -> None:
        """End the thread as soon as a blocked system call lets it."""
        self._closed = True
        self._requests.put(None)
        self._answers.put(None)

    def _work(self) -> None:
        notifications: FolderNotifications | None = None
        if request := self._requests.get():
            self._answers.put(self._poll(*request))
            # After the first answer, which somebody waits for.
            notifications = self._notifications = notifications_about(self._path)
            self._was_notified = True  # a change may have come before
        while request := self._requests.get():
            self._answers.put(self._poll(*request))
        if notifications:
            notifications.close()

    def _poll(self, expected: Stamp | None, pause: float) -> FileState | None:
        end = time.monotonic() + LOOK_TIMEOUT / 4
        while True:
            self._wait(pause)
            if self._closed:
                return None
            seen = look(self._path, expected)
            if not isinstance(seen, Unchanged) or time.monotonic() > end:
                return seen

    def _wait(self, pause: float) -> None:
        if notifications := self._notifications:
            self._was_notified |= notifications.wait(pause)
        else:
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
        self._target: WatchedFile | None = WatchedFile(path, Debouncer(known), PollingThread(path))
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def retarget(self, path: Path, known: bytes | None = None) -> None:
        """Watch another file from now on; an event of the old file may still follow."""
        self._replace_target(WatchedFile(path, Debouncer(known), PollingThread(path)))

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

    def _run(self) -> None:
        pause = 0.0
        while target := self._target:
            expected = target.debouncer.expected_stamp(self._clock())
            seen = target.poller.poll(expected, pause)
            now = self._clock()
            event = target.debouncer.observe(now, seen) if seen else None
            if self._target is not target:
                pause = 0.0
                continue
            if isinstance(event, Saved):
                target.poller.check_notifications()
            if event:
                self._notify(target.path, event)
            pause = target.debouncer.pause(now, target.poller.is_notified)
