"""Decides when an editor that may have missed a change of size gets another one."""

from __future__ import annotations

from dataclasses import dataclass

CLOSE = 2.0
"""Seconds between two changes of size of which an editor may miss the first."""
NARROW_AFTER, DRAWN, NARROW_FOR = 0.15, 0.1, 10.0
"""Seconds until an editor that may have missed a size gets a narrower one; of silence after which
it has drawn for that; and until it gets its own size back in any case."""


@dataclass
class SizeCheck:
    """Makes an editor draw again if it may have missed a change of size.

    SIGWINCH is not queued (signal(7)): of two changes in quick succession an editor may notice one,
    and then read the size it already had. So it gets a width that is one less, and its own width
    once it has drawn for that. The width is changed because with another height an editor may
    scroll, and because some editors do not accept fewer rows than they have.
    """

    resized: float = 0.0  # when the size last changed
    due: float | None = None  # when to set the narrower width
    since: float | None = None  # since when it is set

    def request(self, due: float) -> None:
        """Schedule the narrower width."""
        self.due, self.since = due, None

    def note_resize(self, now: float, is_suspect: bool, is_same: bool) -> None:
        """Record a change of size; `is_suspect` if the terminal may have had another in between."""
        before, self.resized = self.resized, now
        if is_suspect and (is_same or now - before < CLOSE):
            self.request(now + NARROW_AFTER)

    def deadline(self, last_output: float) -> float | None:
        """Return when `step` has something to do, given the time of the editor's last output."""
        if self.since is None:
            return self.due
        has_written = last_output > self.since
        return last_output + DRAWN if has_written else self.since + NARROW_FOR

    def step(self, now: float, last_output: float) -> int | None:
        """Return by how many columns to narrow the editor now: 1, or 0 for its own width."""
        if self.due is not None and now >= self.due:
            self.due, self.since = None, now
            return 1
        if self.since is not None:
            has_drawn = last_output > self.since and now - last_output >= DRAWN
            if has_drawn or now - self.since >= NARROW_FOR:
                self.since = None
                return 0
        return None
