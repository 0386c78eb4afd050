"""Decides from successive polls of a watched file when it was saved.

A save takes several steps: an editor may truncate the file and then write it, or write a new file
and rename it over the old one. A second save may leave size and modification time unchanged.
`Debouncer` turns polls into events. The caller supplies the time, in seconds of any clock that
never goes back.
"""

from __future__ import annotations

from msgspec import Struct

SETTLE = 0.01
"""Seconds the contents must stay the same to count as saved."""
SETTLE_EMPTY = 0.15
"""Seconds a file must stay empty: many editors truncate the file before they write it."""
GRACE = 0.25
"""Seconds a file may be missing or unreadable before that is reported."""
COARSE = 2.5
"""Seconds after a change in which another may leave the same times; FAT counts in steps of 2 s."""
REREAD = 2.0
"""Seconds after which to read a file although its stamp is unchanged: network file systems cache
attributes (`actimeo` in nfs(5))."""
PAUSES = ((10.0, 0.02), (60.0, 0.03), (300.0, 0.05), (float("inf"), 0.12))
"""Pairs in seconds: up to so long after the last change, pause this long between polls."""
NOTIFIED_PAUSE = 0.12
"""Seconds between polls while the system notifies of changes, and each poll may come sooner."""


class Stamp(Struct, frozen=True):
    """Metadata that distinguishes two versions of a file without reading it."""

    modified: int
    others: tuple[int, ...] = ()


class Unchanged(Struct, frozen=True):
    """The file has the expected stamp; it was not read."""


class Content(Struct, frozen=True):
    """The file was read: its stamp just before the read, and its bytes."""

    stamp: Stamp
    data: bytes


class Absent(Struct, frozen=True):
    """No file of this name exists."""


class Unreadable(Struct, frozen=True):
    """The file exists but cannot be read."""

    reason: str


FileState = Unchanged | Content | Absent | Unreadable


class InitialContent(Struct, frozen=True):
    """The contents of the file when the watch starts; they are not a save."""

    data: bytes


class Saved(Struct, frozen=True):
    """The learner saved the file with these contents."""

    data: bytes


class Missing(Struct, frozen=True):
    """The file does not exist; reported once, until it exists again."""


class ReadFailed(Struct, frozen=True):
    """The file cannot be read; reported once, until it can be."""

    reason: str


FileEvent = InitialContent | Saved | Missing | ReadFailed


class Debouncer:
    """The state of one watched file.

    Contents that were reported once are not reported again, with one exception: the first save is
    reported even if it does not change the initial contents, because the learner expects an answer.
    """

    def __init__(self, known: bytes | None = None) -> None:
        """Start with contents that count as reported; with None, the first are reported."""
        self._reported = known
        self._was_found = self._was_saved = known is not None
        self._candidate: tuple[bytes, float] | None = (
            None  # contents, and when they were first seen
        )
        self._problem: tuple[FileEvent, float] | None = (
            None  # the event, and when it was first seen
        )
        self._reported_problem: FileEvent | None = None
        self._stamp: Stamp | None = None
        self._changed = float("-inf")
        self._read = float("-inf")

    def expected_stamp(self, now: float) -> Stamp | None:
        """Return the stamp with which the file need not be read; None means to read it anyway."""
        waiting = self._candidate or self._problem or self._reported_problem
        if waiting or now - self._changed < COARSE or now - self._read >= REREAD:
            return None
        return self._stamp

    def pause(self, now: float, is_notified: bool = False) -> float:
        """Return the seconds until the next poll; more, the longer nothing has changed."""
        if self._candidate:
            return SETTLE / 2
        if is_notified:
            return NOTIFIED_PAUSE
        return next(pause for until, pause in PAUSES if now - self._changed <= until)

    def observe(self, now: float, look: FileState) -> FileEvent | None:
        """Process the next poll, and return an event to report, if any."""
        match look:
            case Content(stamp, data):
                return self._observe_content(now, stamp, data)
            case Absent():
                return self._observe_problem(now, Missing())
            case Unreadable(reason):
                return self._observe_problem(now, ReadFailed(reason))
        return None

    def _observe_content(
        self, now: float, stamp: Stamp, data: bytes
    ) -> InitialContent | Saved | None:
        before, self._stamp = self._stamp, stamp
        if stamp != before:
            self._changed = now
        self._read = now
        written = before is not None and stamp.modified != before.modified
        is_back = self._reported_problem is not None
        if is_back or (written and self._was_found and not self._was_saved):
            self._reported = None  # report it even if the contents are the old ones
            self._was_found = True
        self._problem = self._reported_problem = None
        if data == self._reported:
            self._candidate = None
        elif self._candidate is None or self._candidate[0] != data:
            self._candidate = data, now
        elif now - self._candidate[1] >= (SETTLE if data else SETTLE_EMPTY):
            self._candidate, self._reported = None, data
            return self._event(data)
        return None

    def _event(self, data: bytes) -> InitialContent | Saved:
        if not self._was_found:
            self._was_found = True
            return InitialContent(data)
        self._was_saved = True
        return Saved(data)

    def _observe_problem(self, now: float, event: Missing | ReadFailed) -> FileEvent | None:
        self._candidate = None
        if self._problem is None or self._problem[0] != event:
            self._problem = event, now
        elif now - self._problem[1] >= GRACE and self._reported_problem != event:
            self._reported_problem = event
            return event
        return None
