"""Tries terminals that do not read, read slowly, or close."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import psutil

from trials import Figure
from trials.view.home import Home, Tally, calm, leave


def try_terminals(size: float) -> Iterator[Figure]:
    """Try terminals that do not read, read slowly, or close in the middle."""
    tally = Tally("a terminal that does not read, is slow, or goes")
    quiet = max(10 * size, 1.0)
    tally.note(f"not read for {quiet:.0f} s", *read_nothing(quiet))
    tally.note("ended while not read", *end_unread())
    tally.note("1,000 bytes a second", *read_slowly(max(20 * size, 4.0)))
    for after in (0.0, 0.05, 0.2):
        tally.note(f"closed {after} s into a flood", *close_amid(after))
    yield tally.figure()


def read_nothing(seconds: float) -> list[str]:
    """Read nothing for a time while an editor writes. Afterwards the output must be complete."""
    with Home("scripted") as home, home.edit() as terminal:
        before = terminal.rows()
        os.write(terminal.handle, b"F")
        time.sleep(seconds)
        terminal.press("Z")
        calm(terminal)
        found = [] if home.notes.read_bytes().endswith(b"Z") else ["keys are dead"]
        if terminal.rows() != before:
            found.append(f"another screen: {terminal.rows()[:3]}")
        return found + leave(terminal)


def end_unread() -> list[str]:
    """End the session while its output is not read."""
    with Home("scripted") as home, home.edit() as terminal:
        os.write(terminal.handle, b"F")
        time.sleep(0.5)
        terminal.process.terminate()
        gone = psutil.wait_procs([terminal.process], timeout=15)[0]
        found = [] if gone or terminal.process.status() == psutil.STATUS_ZOMBIE else ["it goes on"]
        terminal.await_event("ended")
        left = [f"left behind: {process}" for process in terminal.await_nobody()]
        settings = [it for it in terminal.faults() if "settings" in it]
        return [*found, *left, *settings]


def read_slowly(seconds: float) -> list[str]:
    """Read a thousand bytes a second for a while, and type meanwhile."""
    with Home("scripted") as home, home.edit() as terminal:
        end = time.monotonic() + seconds
        for key in "abcdefgh" * 100:
            if time.monotonic() > end:
                break
            terminal.press(key)
            terminal.pump(0, most=100)
            time.sleep(0.1)
        calm(terminal)
        return [] if terminal.status is None else [f"it ended with {terminal.status}"]


def close_amid(after: float) -> list[str]:
    """Close the terminal during much output."""
    with Home("scripted") as home, home.edit() as terminal:
        os.write(terminal.handle, b"F")
        time.sleep(after)
        terminal.hang_up()
        return terminal.await_nobody()
