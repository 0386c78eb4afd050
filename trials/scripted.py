"""Acts as an editor that fills its rows on every resize and records its input.

    python scripted.py NOTES [slow]

The key `F` floods its rows first. The input is written to NOTES as it arrives.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import tty

FLOOD = 100_000


def line(row: int, columns: int, rows: int) -> str:
    """Return the text of a row on a screen of this size."""
    return (f"row {row} of {rows} by {columns} " * 30)[: columns - 1].rstrip()


def main(notes: str, *how: str) -> None:
    """Run until the terminal closes."""
    tty.setraw(0)
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGWINCH, lambda *_: None)
    signal.set_wakeup_fd(wake)
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    say(b"\x1b[?1049h\x1b[?2004h")
    drawn = draw((0, 0))
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if "slow" in how:
            time.sleep(0.05)
        if woken in ready:
            os.read(woken, 4096)
            drawn = draw(drawn)
        if 0 in ready:
            data = os.read(0, 1 << 16)
            if not data:
                return
            os.write(file, data)
            if data == b"F":
                say(b"\x1b[31mflooding\r\n\x1b[m\x1b[5;5Hmore " * (FLOOD // 30))
                drawn = draw((0, 0))


def draw(drawn: tuple[int, int]) -> tuple[int, int]:
    """Draw for a new size. Like many editors, draw nothing if the size is unchanged."""
    columns, rows = os.get_terminal_size(0)
    if (columns, rows) != drawn:
        each = (f"\x1b[{row};1H{line(row, columns, rows)}\x1b[K" for row in range(1, rows + 1))
        say(f"\x1b[r{''.join(each)}\x1b[H".encode())
    return columns, rows


def say(data: bytes) -> None:
    """Write all of the text."""
    while data:
        data = data[os.write(1, data[:4096]) :]


if __name__ == "__main__":
    main(*sys.argv[1:])
