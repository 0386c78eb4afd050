"""Pastes long texts, and texts that look like keys."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from trials import Figure
from trials.view.home import PREFIX, SEED, Home, Tally, leave


def try_pastes(size: float) -> Iterator[Figure]:
    """Paste long texts and texts that look like keys, and compare what the editor received."""
    length = max(round(1_000_000 * size), 20_000)
    tally = Tally("a paste arrives whole, keys go on", f"{length:,} bytes each, seed {SEED}")
    for number, (name, make) in enumerate(PASTES.items()):
        dice = random.Random(SEED + number)
        data = make(dice, length)
        tally.note(name, *paste(data))
    yield tally.figure()


def _bracketed(body: bytes) -> bytes:
    return b"\x1b[200~" + body.replace(b"\x1b[201~", b"") + b"\x1b[201~"


def _text(dice: random.Random, length: int) -> bytes:
    return b"".join(b"line %d of a text\r" % n for n in range(length // 20))


def _nasty(dice: random.Random, length: int) -> bytes:
    pieces = [
        PREFIX.encode(), b"\x1b[24~q", b"\x00", b"\xff\xfe", b"\xc3", b"\x1b", b"\x1b[", b"\x1b]0;",
        b"\x1b[<0;5;99M", b"\x1b[M !!", b"\x1bP", b"\x03\x04\x1a\x11\x13", b"\x1b[200~", b"text\r",
        "日本語".encode(), b"\x1b[?2026h", b"\x1b[6n",
    ]  # fmt: skip
    return b"".join(dice.choice(pieces) for _ in range(length // 5))


PASTES: dict[str, Callable[[random.Random, int], bytes]] = {
    "text, bracketed": lambda dice, length: _bracketed(_text(dice, length)),
    "text": _text,
    "all kinds of bytes, bracketed": lambda dice, length: _bracketed(_nasty(dice, length)),
    "an escape at the end": lambda dice, length: _text(dice, length) + b"\x1b",
    "brackets in a paste": lambda dice, length: _bracketed(b"a\x1b[200~b" * (length // 8)),
}


def paste(data: bytes) -> list[str]:
    """Paste a text into an editor that records its input."""
    with Home("scripted") as home, home.edit() as terminal:
        before = home.notes.stat().st_size
        terminal.press(data)
        end = time.monotonic() + 120
        while home.notes.stat().st_size - before < len(data) and time.monotonic() < end:
            terminal.pump(0.05)
        terminal.settle()
        got = home.notes.read_bytes()[before:]
        found = [] if got == data else [f"{len(got):,} bytes arrived of {len(data):,}"]
        terminal.press(f"{PREFIX}?")
        if not terminal.await_("check again", seconds=20):
            found.append("the prefix is dead")
        terminal.press("\x1b")
        terminal.settle()
        terminal.press("Z")
        terminal.settle()
        if not home.notes.read_bytes().endswith(b"Z"):
            found.append("keys are dead")
        return found + leave(terminal)
