"""Presses keys in every state of a session: on a page, in the panel, in the rows, elsewhere."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from trials import Figure
from trials.pty_screen import PtyTerminal
from trials.view.home import LESSON, PREFIX, SEED, Home, Tally, given_back, leave

SEQUENCES = [
    *(b"\x1b[" + final for final in (b"A", b"B", b"C", b"D", b"H", b"F", b"Z", b"E", b"P")),
    *(b"\x1bO" + final for final in (b"A", b"B", b"H", b"F", b"P", b"Q", b"R", b"S", b"M")),
    *(b"\x1b[%d~" % number for number in range(1, 35) if number != 24),
    *(b"\x1b[1;%d%c" % (modifier, final) for modifier in range(2, 9) for final in b"ABCDHFPQ"),
    *(b"\x1b[[%c" % final for final in b"ABCDE"),
    *(b"\x1b%c" % letter for letter in b"abdefhjlmnopstuvwxz[]O"),
    b"\x1b[97;5u", b"\x1b[113;1:3u", b"\x1b[57441;1:3u", b"\x1b[27;5;106~", b"\x1b[?1u",
    b"\x1b[<0;3;4M", b"\x1b[<0;3;4m", b"\x1b[<64;3;29M", b"\x1b[<65;3;29M", b"\x1b[<35;300;100M",
    b"\x1b[M !!", b"\x1b[M#q!", b"\x1b[M\xff\xff\xff", b"\x1b[32;33;44M", b"\x1b[I", b"\x1b[O",
    b"\x1b[?62;22c", b"\x1b[>1;10;0c", b"\x1b[24;80R", b"\x1b[?24;80R", b"\x1b[0n",
    b"\x1b[8;30;100t",
    b"\x1b[?2026;2$y", b"\x1b[4;1$y", b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", b"\x1b]10;rgb:e/e/e\x07",
    b"\x1b]52;c;cXVpdA==\x07", b"\x1bP1+r544e=787465726d\x1b\\", b"\x1bP1$r0 q\x1b\\",
    b"\x1bP>|terminal 1.0\x1b\\", b"\x1b_Gi=31;OK\x1b\\", b"\x1b[48;30;100;0;0t", b"\x1b[?997;1n",
    b"\x1b[200~quit y\x1b[201~", "é✓🎉".encode(), b"\xff", b"\xc3",
]  # fmt: skip
ENDS = {b"q", b"\x03", b"\x04"}
ELSEWHERE = {b"\r", b"\n", b"\x1a", b"n", b"p", b"r"}
"""Keys that leave the page for the editor, the shell, another lesson, or a question."""
BYTES = [bytes([code]) for code in range(256)]
PAGES = {
    "page": "", "verdict": "v", "hint": "h", "fix": "f", "jaxpr": "x", "diff": "d", "attempts": "a",
    "list": "l", "keys": "?", "scrolled": "t     ", "checking": "c", "question": "r",
}  # fmt: skip


def try_keys(size: float) -> Iterator[Figure]:
    """Press every key in every state, and check that the session continues correctly."""
    dice = random.Random(SEED)
    share = min(1.0, size)
    page = Tally("every key on every page", f"seed {SEED}")
    panel = Tally("every key after the prefix", f"seed {SEED}")
    tiny = Tally("every key where there is no room")
    for keys in PAGES.values():
        press_on_page(keys, choose(dice, share, BYTES, SEQUENCES), dice, page, (100, 30))
    press_on_page("", choose(dice, share, BYTES, SEQUENCES), dice, tiny, (20, 3))
    press_in_panel(choose(dice, share, BYTES, SEQUENCES), dice, panel)
    yield from (it.figure() for it in (page, panel, tiny))
    named = Tally("a key goes to the one that the status line names", f"seed {SEED}")
    press_by_the_row(max(round(2000 * size), 40), dice, named)
    yield named.figure()
    yield from press_elsewhere(dice, share)


def choose(dice: random.Random, share: float, *kinds: list[bytes]) -> list[bytes]:
    """Choose some of the keys."""
    every = [it for kind in kinds for it in kind]
    return every if share >= 1 else dice.sample(every, max(round(len(every) * share), 5))


def in_parts(sent: bytes, dice: random.Random) -> list[bytes]:
    """Return input whole, or split at any byte."""
    if len(sent) < 2 or dice.random() < 0.3:
        return [sent]
    cut = dice.randint(1, len(sent) - 1)
    return [sent[:cut], sent[cut:]]


def press_on_page(
    state: str, stimuli: list[bytes], dice: random.Random, tally: Tally, size: tuple[int, int]
) -> None:
    """Press keys in one state of the page. The session must continue and answer afterwards."""
    columns, rows = size
    with Home("true") as home, home.open(columns=columns, rows=rows) as terminal:
        terminal.await_("3.1")
        terminal.settle()
        for sent in stimuli:
            if sent in ENDS | ELSEWHERE:
                continue
            terminal.press(f"v{state}")
            for part in in_parts(sent, dice):
                terminal.press(part)
                terminal.pump(0.01)
            if terminal.status is not None:
                tally.note(f"{state!r} {sent!r}", f"it ended with {terminal.status}")
                return
            tally.note(f"{state!r} {sent!r}")
        terminal.pump(1.2)  # cancel an incomplete command
        terminal.press("\x1b[201~vr")
        if not terminal.await_("Restore the starter", seconds=20):
            tally.note(f"{state!r}", f"it does not answer: {terminal.rows()}")
        terminal.press("nq")
        tally.note(f"{state!r} leaving", *given_back(terminal, 0))


def press_in_panel(stimuli: list[bytes], dice: random.Random, tally: Tally) -> None:
    """Press keys after the prefix, and leave the panel after each."""
    with Home("scripted") as home, home.edit() as terminal:
        for sent in stimuli:
            if sent in ENDS | {b"n", b"p", b"r", b"+", b"-", b"="}:
                continue
            terminal.press(PREFIX)
            terminal.pump(0.01)
            for part in in_parts(sent, dice):
                terminal.press(part)
                terminal.pump(0.01)
            terminal.pump(0.06)
            terminal.press("\r")
            faults = [] if terminal.status is None else [f"it ended with {terminal.status}"]
            tally.note(repr(sent), *faults)
            if faults:
                return
        terminal.pump(1.2)
        terminal.press("\x1b[201~\r")
        terminal.pump(0.1)
        terminal.press(f"{PREFIX}?")
        answers = terminal.await_("check again", seconds=20)
        tally.note("at the end", *([] if answers else [f"it does not answer: {terminal.rows()}"]))
        tally.note("leaving", *leave(terminal))


ROW_KEYS = [
    *([PREFIX.encode()] * 12),
    *([b"\x1b"] * 6),
    *(b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[5~", b"\x1b[6~", b"\x1b[H", b"\x1b[F"),
    *(
        bytes([code])
        for code in b" bjkgGtvhfxdalec?z+-qrnpwsiuo:;/\x02\x04\x05\x06\x15\x13\t\x7f\r"
    ),
    *("é".encode(), "世".encode()),
]


def press_by_the_row(times: int, dice: random.Random, tally: Tally) -> None:
    """Press random keys, and compare what the editor gets with what the status line says."""
    before = b""
    with Home("scripted") as home, home.edit() as terminal:
        for _ in range(times):
            await_named(terminal)
            rows, notes = terminal.rows(), home.notes.read_bytes()
            is_panels = any(row.startswith(" PANEL") for row in rows)
            is_editors = any(row.endswith("F12 keys") for row in rows)
            is_asking = any(row.rstrip().endswith("y or n") for row in rows)
            sent = dice.choice(ROW_KEYS)
            terminal.press(sent)
            terminal.settle(0.08)
            got = home.notes.read_bytes()[len(notes) :]
            expected = b"" if is_panels or is_asking or sent == PREFIX.encode() else sent
            if sent == before == PREFIX.encode() and is_panels:
                expected = sent
            faults = [] if got == expected else [f"the editor got {got!r}, not {expected!r}"]
            if not is_asking and is_panels == is_editors:
                faults.append(f"the status line names nobody, or both: {rows}")
            tally.note(f"{before!r} {sent!r}", *faults)
            before = b"" if got else sent
        tally.note("leaving", *leave(terminal))


def await_named(terminal: PtyTerminal) -> None:
    """Wait until the status line says who has the keys."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        rows = terminal.rows()
        if any(row.startswith(" PANEL") or row.endswith(("F12 keys", "y or n")) for row in rows):
            return
        terminal.pump(0.02)


OTHERS = {
    "an editor on the whole screen": (
        ("start", LESSON, "--layout", "plain"),
        "enter edit",
        "\r",
        "q",
    ),
    "check --watch": (("check", LESSON, "--watch"), "Watching", "", "\x03"),
    "the pager": (("show", LESSON), "Branching", "", "q"),
    "repl": (("repl",), "1>", "", "\x04"),
    "predict": (("predict", "padded-nonzero"), "prediction", "", "\r"),
}


def press_elsewhere(dice: random.Random, share: float) -> Iterator[Figure]:
    """Press every key while another command has the terminal."""
    tally = Tally("every key in other commands", f"seed {SEED}")
    for name, (arguments, words, first, last) in OTHERS.items():
        with Home("scripted", PAGER="less -R") as home, home.open(*arguments, rows=20) as terminal:
            terminal.await_(words)
            terminal.press(first)
            terminal.settle()
            for sent in choose(dice, share, BYTES, SEQUENCES):
                if sent in ENDS | {b"\x1a", b"\x1c"} or terminal.status is not None:
                    continue
                for part in in_parts(sent, dice):
                    terminal.press(part)
                    terminal.pump(0.01)
                tally.note(f"{name}: {sent!r}")
            terminal.settle()
            end(terminal, last)
            tally.note(f"{name}: leaving", *given_back(terminal))
    yield tally.figure()


def end(terminal: PtyTerminal, last: str) -> None:
    """End a command in its own way, or else by a signal."""
    for keys in (last, "\x03", last, "\x03", "\x04", last):
        if terminal.status is None:
            terminal.press(keys)
            terminal.pump(0.4)
    if terminal.status is None:
        terminal.process.terminate()
