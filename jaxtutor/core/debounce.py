"""Owns the decision when a watched file was saved, from looks at it in their order.

An editor's save is no single moment: the file is emptied and filled, or goes away and comes back
under a new inode, and a second save may leave size and time as they were. The rules here turn
looks into events; whoever looks brings the time, in seconds on any clock that never goes back.
"""

from __future__ import annotations

from msgspec import Struct

SETTLE = 0.01
"""How long the bytes must hold still to be a save."""
SETTLE_EMPTY = 0.15
"""How long a file must stay empty: emptying is how many editors begin to write."""
GRACE = 0.25
"""How long a file may be away, or unreadable, before that is told."""
COARSE = 2.5
"""How long after a change a second one may leave the same times; FAT counts in two seconds."""
REREAD = 2.0
"""How often to read a file whose stamp stands still: network file systems answer from memory."""
PAUSES = ((10.0, 0.02), (300.0, 0.03), (float("inf"), 0.12))
"""Until how long after the last change to look how often."""


class Stamp(Struct, frozen=True):
    """What tells one version of a file from another without reading it."""

    modified: int
    others: tuple[int, ...] = ()


class Unchanged(Struct, frozen=True):
    """The stamp was the one that was asked about; nothing was read."""


class Content(Struct, frozen=True):
    """The file was read: its stamp just before, and its bytes."""

    stamp: Stamp
    data: bytes


class Absent(Struct, frozen=True):
    """Nothing has the file's name."""


class Unreadable(Struct, frozen=True):
    """The system refused to say, and why."""

    reason: str


FileState = Unchanged | Content | Absent | Unreadable


class InitialContent(Struct, frozen=True):
    """The file has these bytes where the watch begins: nobody has saved it yet."""

    data: bytes


class Saved(Struct, frozen=True):
    """The learner saved these bytes."""

    data: bytes


class Missing(Struct, frozen=True):
    """The file is gone; told once until it is back."""


class ReadFailed(Struct, frozen=True):
    """The file cannot be read; told once until it can."""

    reason: str


FileEvent = InitialContent | Saved | Missing | ReadFailed


class Debouncer:
    """What is known of one watched file.

    Bytes that were told are not told again, but for those that were found: the first save is told
    even if it changes nothing, for whoever makes it waits for an answer.
    """

    def __init__(self, known: bytes | None = None) -> None:
        """Begin with the bytes that were dealt with already; None to be told of the first."""
        self._settled = known
        self._was_found = self._was_saved = known is not None
        self._candidate: tuple[bytes, float] | None = None  # bytes, and since when
        self._lack: tuple[FileEvent, float] | None = None  # what to tell, and since when
        self._told: FileEvent | None = None
        self._stamp: Stamp | None = None
        self._changed = float("-inf")
        self._read = float("-inf")

    def expected_stamp(self, now: float) -> Stamp | None:
        """Return the stamp under which the file need not be read; None: read it in any case."""
        waiting = self._candidate or self._lack or self._told
        if waiting or now - self._changed < COARSE or now - self._read >= REREAD:
            return None
        return self._stamp

    def pause(self, now: float) -> float:
        """Return for how many seconds not to look: the longer nothing changed, the more."""
        if self._candidate:
            return SETTLE / 2
        return next(pause for until, pause in PAUSES if now - self._changed <= until)

    def observe(self, now: float, look: FileState) -> FileEvent | None:
        """Take the next look, and return what is to be told, if anything."""
        match look:
            case Content(stamp, data):
                return self._observe_content(now, stamp, data)
            case Absent():
                return self._observe_lack(now, Missing())
            case Unreadable(reason):
                return self._observe_lack(now, ReadFailed(reason))
        return None

    def _observe_content(
        self, now: float, stamp: Stamp, data: bytes
    ) -> InitialContent | Saved | None:
        before, self._stamp = self._stamp, stamp
        if stamp != before:
            self._changed = now
        self._read = now
        written = before is not None and stamp.modified != before.modified
        is_back = self._told is not None
        if is_back or (written and self._was_found and not self._was_saved):
            self._settled = None  # that is news, even with the bytes of old
            self._was_found = True
        self._lack = self._told = None
        if data == self._settled:
            self._candidate = None
        elif self._candidate is None or self._candidate[0] != data:
            self._candidate = data, now
        elif now - self._candidate[1] >= (SETTLE if data else SETTLE_EMPTY):
            self._candidate, self._settled = None, data
            return self._tell(data)
        return None

    def _tell(self, data: bytes) -> InitialContent | Saved:
        if not self._was_found:
            self._was_found = True
            return InitialContent(data)
        self._was_saved = True
        return Saved(data)

    def _observe_lack(self, now: float, event: Missing | ReadFailed) -> FileEvent | None:
        self._candidate = None
        if self._lack is None or self._lack[0] != event:
            self._lack = event, now
        elif now - self._lack[1] >= GRACE and self._told != event:
            self._told = event
            return event
        return None
