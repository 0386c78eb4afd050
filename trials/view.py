"""Tries the session's screen: sizes, keys, pastes, signals and unusual terminals.

Programs run in an emulated terminal (`trials.pty_screen`) whose screen the trial reads. One seed
gives one trial.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from trials import Figure, scripted
from trials.pty_screen import PtyTerminal

SEED = 7
ROOT = Path(__file__).parent.parent
LESSON = "safe-clip-positive"
PREFIX = "\x1b[24~"
EDITORS = {
    "vim": "vim -Nu NONE -n",
    "nano": "nano -I",
    "neovim": "nvim --clean -n",
    "micro": "micro",
    "emacs": "emacs -nw -Q",
    "kakoune": "kak -n",
}


def run(size: float) -> Iterator[Figure]:
    """Try every promise about the screen. Size 1 takes most of an hour."""
    yield from try_sizes(size)
    yield from try_pastes(size)
    yield from try_keys(size)
    yield from try_signals(size)
    yield from try_terminals(size)
    yield from try_streams(size)


@dataclass
class Tally:
    """Counts the trials of one promise and keeps the failures."""

    promise: str
    detail: str = ""
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    broken: int = 0

    def note(self, what: str, *faults: str) -> None:
        """Count one trial with these faults."""
        self.tried += 1
        if faults:
            self.broken += 1
            self.failures.append(f"{what}: {'; '.join(faults)}"[:2000])

    def figure(self) -> Figure:
        """Return the resulting figure."""
        return Figure(
            promise=self.promise,
            tried=self.tried,
            held=self.tried - self.broken,
            detail=self.detail,
            failures=tuple(self.failures),
        )


class Home:
    """A learner's home for one program, with its environment."""

    def __init__(self, editor: str, **environ: str) -> None:
        # Not under /tmp, where vim saves in another way than in a home directory.
        self._folder = tempfile.TemporaryDirectory(
            dir="/var/tmp", prefix="view-", ignore_cleanup_errors=True
        )
        self.path = Path(self._folder.name)
        self.notes = self.path / "notes"
        if editor == "scripted":
            editor = shlex.join([sys.executable, "-S", scripted.__file__, str(self.notes)])
        inside = {
            "HOME": str(self.path),
            "JAXTUTOR_HOME": str(self.path / "jaxtutor"),
            "PYTHONPATH": str(ROOT),
            "VISUAL": editor,
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "MICRO_CONFIG_HOME": str(self.path),
            "XDG_RUNTIME_DIR": str(self.path),
            # The run of the known mistakes may outlive a session, and keeps its home in use.
            "JAXTUTOR_NO_KEEP": "yes",
        }
        left_out = ("TMUX", "EDITOR", "LINES", "COLUMNS", "NO_COLOR", "DISPLAY", "PAGER", "LESS")
        around = {name: value for name, value in os.environ.items() if name not in left_out}
        self.environ = {**around, **inside, **environ}

    @property
    def file(self) -> Path:
        """The learner's file."""
        return next((self.path / "jaxtutor").rglob("01_safe_clip_positive.py"))

    def open(self, *arguments: str, columns: int = 100, rows: int = 30) -> PtyTerminal:
        """Run jaxtutor in a terminal."""
        command = [sys.executable, "-m", "jaxtutor", *(arguments or ("start", LESSON))]
        return PtyTerminal(command, self.environ, columns, rows)

    def edit(self, *arguments: str, columns: int = 100, rows: int = 30) -> PtyTerminal:
        """Start a session and open the editor in it."""
        terminal = self.open(*arguments, columns=columns, rows=rows)
        assert terminal.await_("enter edit"), terminal.rows()
        terminal.press("\r")
        words = (" F12",) if "plain" not in arguments else ("TODO",)
        assert terminal.await_(*words), terminal.rows()
        terminal.settle()
        return terminal

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def leave(terminal: PtyTerminal) -> list[str]:
    """End a session in any state, and return what was not restored."""
    for keys in ("\x1b", "\x1b", PREFIX, "q", "y", "n", "\x1b", PREFIX, "q", "y", "q", "y", "q"):
        if terminal.status is not None:
            break
        terminal.press(keys)
        terminal.pump(0.25)
    terminal.await_event("ended", 10)
    return given_back(terminal, 0)


def given_back(terminal: PtyTerminal, *statuses: int) -> list[str]:
    """Return what differs from the state before the program, which must have ended this way."""
    if not terminal.await_event("ended", 20):
        return [f"it has not ended: {terminal.rows()[-1]!r}"]
    terminal.settle(0.1)
    found = terminal.faults()
    if statuses and terminal.status not in statuses:
        found.append(f"its status is {terminal.status}, not {statuses}")
    if b"Traceback" in terminal.tail:
        found.append(f"a traceback: {terminal.tail[-800:]!r}")
    return found + [f"left behind: {process}" for process in terminal.await_nobody()]


def installed() -> list[str]:
    """Return the installed editors and the scripted one."""
    return [*(name for name in EDITORS if shutil.which(EDITORS[name].split()[0])), "scripted"]


# ---------------------------------------------------------------- sizes


def try_sizes(size: float) -> Iterator[Figure]:
    """Change the size at random, and compare the screen with one that is redrawn."""
    names = installed()
    for number, name in enumerate(names):
        tally = Tally(f"{name}: at any size, the screen equals one drawn from scratch")
        resize(name, max(round(1000 * size / len(names)), 5), SEED + number, tally)
        yield tally.figure()


def resize(name: str, times: int, seed: int, tally: Tally) -> None:
    """Change the size in bursts. After each, redraw everything and compare."""
    dice, count = random.Random(seed), 0
    with Home(EDITORS.get(name, name)) as home, home.edit() as terminal:
        if name == "emacs":
            terminal.settle(1)
        while count < times and terminal.status is None:
            told = []
            if dice.random() < 0.3:
                view = dice.choice("hdvtxal")
                terminal.press(f"{PREFIX}{view}")
                terminal.pump(0.05)
                terminal.press("\x1b")  # the editor has the keys again
                terminal.pump(0.1)
                told.append(view)
            if name == "scripted" and dice.random() < 0.5:
                terminal.press("F")
                terminal.pump(dice.random() / 20)
                told.append("flooding")
            if name in ("scripted", "nano") and dice.random() < 0.3:
                text = "def safe_clip_positive(x):\n    return x" + dice.choice(["", "("])
                home.file.write_text(f"{text}  # {dice.random()}\n")
                told.append("saved")
            sizes = [change_size(terminal, dice) for _ in range(dice.choice((1, 1, 2, 3, 8, 20)))]
            count, told = count + len(sizes), told + sizes
            if "saved" in told:
                terminal.pump(3)  # before the screen is read
            tally.note(" ".join(told), *differences(terminal, name))
        tally.detail = f"{count} sizes in bursts, seed {seed}"
        tally.note("leaving", *leave(terminal))


def change_size(terminal: PtyTerminal, dice: random.Random) -> str:
    """Change the size, usually to a random one, and wait briefly or not at all."""
    columns, rows = dice.randint(20, 300), dice.randint(3, 100)
    if dice.random() < 0.2:  # to another size and back at once
        before = terminal.size
        terminal.resize(columns, rows)
        terminal.pump(dice.choice((0, 0, 0.01)))
        columns, rows = before
    terminal.resize(columns, rows)
    terminal.pump(dice.choice((0, 0, 0.002, 0.02, 0.1)))
    return f"{columns}x{rows}"


def differences(terminal: PtyTerminal, name: str) -> list[str]:
    """Redraw everything, and return what differs from before."""
    calm(terminal)
    margins, before = terminal.screen.margins, terminal.rows()
    terminal.process.send_signal(
        signal.SIGCONT
    )  # the editor then redraws everything, as after a resume
    terminal.pump(0.1)
    calm(terminal)
    after = terminal.rows()
    rows = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    found = [f"row {n}: {before[n][:60]!r}, anew {after[n][:60]!r}" for n in rows[:3]]
    if terminal.status is not None:
        return [f"it ended with {terminal.status}: {terminal.tail[-500:]!r}"]
    if margins is None or margins != terminal.screen.margins:
        return [*found, f"margins {margins}, anew {terminal.screen.margins}"]
    if not 0 < margins.bottom + 1 < terminal.screen.lines or margins.top:
        found.append(f"margins {margins} of {terminal.screen.lines} rows")
    if " 3.1" not in before[margins.bottom + 1]:
        found.append(f"the line of status is {before[margins.bottom + 1]!r}")
    if name == "scripted":
        columns, height = terminal.size[0], margins.bottom + 1
        expected = [scripted.line(row, columns, height) for row in range(1, height + 1)]
        found += [
            f"{old!r}, not {new!r}"
            for old, new in zip(before, expected, strict=False)
            if old != new
        ][:2]
    return found


def calm(terminal: PtyTerminal) -> None:
    """Wait until there is no more output and no check."""
    end = time.monotonic() + 20
    terminal.settle(0.4)
    while time.monotonic() < end and terminal.status is None and is_busy(terminal):
        terminal.settle(0.4)


def is_busy(terminal: PtyTerminal) -> bool:
    """Return True during a check, or before a new size has been drawn."""
    rows, margins = terminal.rows(), terminal.screen.margins
    if any("checking" in row for row in rows):
        return True
    if not any(" F12" in row for row in rows):
        return False
    # The status line is as wide as the screen, except for the space at its end.
    return margins is None or len(rows[margins.bottom + 1]) != terminal.size[0] - 1


# ---------------------------------------------------------------- pastes


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
        found = [] if got == data else [f"{len(got):,} bytes came of {len(data):,}"]
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


# ---------------------------------------------------------------- keys

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


# ---------------------------------------------------------------- signals

STATES: dict[str, Callable[[Home], PtyTerminal]] = {
    "page": lambda home: _on_page(home, ""),
    "question": lambda home: _on_page(home, "r"),
    "rows": lambda home: home.edit(),
    "panel": lambda home: _in_panel(home, ""),
    "quitting": lambda home: _in_panel(home, "q"),
    "whole": lambda home: home.edit("start", LESSON, "--layout", "plain"),
    "tiny": lambda home: home.edit("start", LESSON, columns=40, rows=16),
    "watching": lambda home: _in(home, "Watching", "check", LESSON, "--watch"),
    "pager": lambda home: _in(home, "Branching", "show", LESSON),
    "repl": lambda home: _in(home, "1> ", "repl"),
    "predict": lambda home: _in(home, "prediction", "predict", "padded-nonzero"),
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def _on_page(home: Home, keys: str) -> PtyTerminal:
    terminal = home.open()
    assert terminal.await_("enter edit"), terminal.rows()
    terminal.press(keys)
    terminal.settle()
    return terminal


def _in_panel(home: Home, keys: str) -> PtyTerminal:
    terminal = home.edit()
    terminal.press(f"{PREFIX}{keys}")
    terminal.settle()
    return terminal


def _in(home: Home, words: str, *arguments: str) -> PtyTerminal:
    terminal = home.open(*arguments, rows=20)
    assert terminal.await_(words), terminal.rows()
    terminal.settle()
    return terminal


def try_signals(size: float) -> Iterator[Figure]:
    """Send every signal in every state and at random moments."""
    dice = random.Random(SEED)
    states = list(STATES)
    ends = Tally("a signal ends it, the terminal is given back", f"{len(states)} states")
    closed = Tally("the terminal is closed: no process is left")
    for state in states if size >= 1 else dice.sample(states, max(round(len(states) * size), 3)):
        for number in SIGNALS:
            if (
                state not in ("repl", "pager") or number != signal.SIGINT
            ):  # the learner's processes, which may continue
                ends.note(f"{state} {number.name}", *end_by(state, number))
        closed.note(state, *hang_up(state))
    yield ends.figure()
    yield closed.figure()
    moments = Tally("a signal at any moment", f"seed {SEED}")
    for _ in range(max(round(100 * size), 3)):
        number, after = dice.choice(SIGNALS), dice.random() * 3
        moments.note(f"{number.name} after {after:.2f} s", *end_at(number, after))
    yield moments.figure()
    yield from try_stops(size)
    yield from try_killed_editors(size)


def end_by(state: str, number: signal.Signals) -> list[str]:
    """Send the signal in a state."""
    with Home(EDITORS["vim"], PAGER="less -R") as home, STATES[state](home) as terminal:
        before = home.file.read_bytes() if state not in ("pager", "repl", "predict") else b""
        terminal.process.send_signal(number)
        found = given_back(terminal, 128 + number)
        if before and home.file.read_bytes() != before:
            found.append("the learner's file is another")
        return found


def hang_up(state: str) -> list[str]:
    """Close the terminal in a state."""
    with Home(EDITORS["vim"], PAGER="less -R") as home, STATES[state](home) as terminal:
        terminal.hang_up()
        return terminal.await_nobody()


def end_at(number: signal.Signals, after: float) -> list[str]:
    """Send the signal after a delay from the start, while keys are pressed."""
    with Home(EDITORS["vim"]) as home, home.open() as terminal:
        terminal.press("\r")
        terminal.pump(after)
        terminal.process.send_signal(number)
        # Before Python has started, a signal has its default effect.
        return given_back(terminal, 128 + number, -number)


def try_stops(size: float) -> Iterator[Figure]:
    """Stop and continue in every way and state."""
    tally = Tally("stopped and continued, all is as before")
    states = ("page", "question", "rows", "panel", "whole", "tiny")
    for state in states if size >= 0.5 else ("page", "rows"):
        for way in ("SIGTSTP", "SIGSTOP", "c-z"):
            tally.note(f"{state} {way}", *stop(state, way))
    yield tally.figure()


def stop(state: str, way: str) -> list[str]:
    """Stop a session, then continue it on a terminal that another program used meanwhile."""
    with Home(EDITORS["vim"]) as home, STATES[state](home) as terminal:
        terminal.pump(2)  # until the first check has begun
        calm(terminal)
        before = terminal.rows()
        if way == "c-z":
            terminal.press("\x1a")
        else:
            terminal.process.send_signal(getattr(signal, way))
        if not terminal.await_event("stopped", 20):
            # The key does nothing in the panel, and answers a question with no.
            return [] if way == "c-z" and state in ("panel", "question") else ["it did not stop"]
        terminal.settle(0.2)
        found = [] if way == "SIGSTOP" else terminal.faults()
        terminal.take(b"\x1b[?1049l\x1b[r\x1b[2J\x1b[Hshell> fg\r\n")
        terminal.continue_()
        terminal.await_event("continued", 0.2)
        terminal.settle(0.8)
        after = terminal.rows()
        rows = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        # vim's last row shows its last action, and only vim itself has drawn `whole`.
        rows = [n for n in rows if n != len(before) - 1 and "01_safe" not in before[n] + after[n]]
        found += [f"row {n}: {before[n]!r}, then {after[n]!r}" for n in rows[:3]]
        terminal.process.terminate()
        return found + given_back(terminal, 143)


def try_killed_editors(size: float) -> Iterator[Figure]:
    """Kill the editor in every way, and then jaxtutor itself, which can restore nothing."""
    tally = Tally("a killed editor is reported")
    for layout in ("auto", "plain"):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGHUP):
            tally.note(f"{layout} {number.name}", *kill_editor(layout, number))
    yield tally.figure()
    alone = Tally("a killed tutor leaves no process behind")
    for state in ("page", "rows", "whole"):
        with Home(EDITORS["vim"]) as home, STATES[state](home) as terminal:
            terminal.process.kill()
            terminal.await_event("ended")
            if state == "whole":  # the orphaned editor has the terminal, as after a killed shell
                terminal.hang_up()
            alone.note(state, *terminal.await_nobody())
    yield alone.figure()


def kill_editor(layout: str, number: signal.Signals) -> list[str]:
    """Kill the editor. The session must report it and continue."""
    with Home(EDITORS["vim"]) as home, home.edit("start", LESSON, "--layout", layout) as terminal:
        below = terminal.process.children(recursive=True)
        editor = next(it for it in below if it.name() == "vim" or "vim" in it.cmdline()[0])
        editor.send_signal(number)
        found = (
            [] if terminal.await_("enter edit", seconds=20) else [f"not told: {terminal.rows()}"]
        )
        if not terminal.sees("vim") or not (terminal.sees("signal") or terminal.sees("status")):
            found.append(f"not told why: {terminal.rows()[:3]}")
        terminal.press("q")
        return found + given_back(terminal, 0)


# ---------------------------------------------------------------- unusual terminals


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


# ---------------------------------------------------------------- streams

COMMANDS = (
    "list", "list --all --json", "stats", f"history {LESSON}", f"show {LESSON}",
    f"show {LESSON} --json",
    f"hint {LESSON} --all", f"solution {LESSON}", f"diff {LESSON} --against solution", "review",
    f"reset {LESSON}", "next", f"start {LESSON}", "explain", "explain traced-bool-in-if",
    "predict padded-nonzero", "--version", "--help", "check --help",
)  # fmt: skip
WITH_JAX = (
    f"check {LESSON}",
    "devices",
    "doctor",
    "diagnose script.py",
    "predict padded-nonzero --answer yes",
)
WAYS: dict[str, tuple[str, dict[str, str], tuple[int, ...]]] = {
    "closed": ("$j >&-", {}, (3,)),
    "full": ("$j >/dev/full", {}, (3,)),
    "all full": ("$j >/dev/full 2>/dev/full", {}, (3,)),
    "all closed": ("$j >&- 2>&- <&-", {}, (3,)),
    "a reader that goes": ("$j | head -c 0; exit ${PIPESTATUS[0]}", {}, (141, 0, 1)),
    "no input": ("$j <&-", {}, (0, 1)),
    "empty input": ("$j </dev/null", {}, (0, 1)),
    "ASCII": ("$j", {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}, (0, 1)),
    "latin": ("$j", {"PYTHONIOENCODING": "latin-1"}, (0, 1)),
    "no terminal": ("$j", {"TERM": "", "LANG": "C", "LC_ALL": "C"}, (0, 1)),
    "unknown terminal": ("$j", {"TERM": "nonesuch", "FORCE_COLOR": "1"}, (0, 1)),
    "no columns": ("$j", {"COLUMNS": "0"}, (0, 1)),
    "one column": ("$j", {"COLUMNS": "1"}, (0, 1)),
    "many columns": ("$j", {"COLUMNS": "9" * 9}, (0, 1)),
    "columns that are none": ("$j", {"COLUMNS": "wide"}, (0, 1)),
}  # fmt: skip


def try_streams(size: float) -> Iterator[Figure]:
    """Run every command with unusual streams and environments."""
    tally = Tally("odd streams: no traceback, an honest status", f"{len(WAYS)} ways")
    dice = random.Random(SEED)
    every = [(command, way) for command in (*COMMANDS, *WITH_JAX) for way in WAYS]
    with Home("true") as home:
        (home.path / "script.py").write_text("import jax\nprint(1)\n")
        subprocess.run(
            [sys.executable, "-m", "jaxtutor", "hint", LESSON],
            env=home.environ,
            check=True,
            capture_output=True,
        )
        for command, way in (
            every if size >= 1 else dice.sample(every, max(round(len(every) * size), 10))
        ):
            tally.note(f"{command}, {way}", *run_oddly(home, command, way))
    yield tally.figure()


def run_oddly(home: Home, command: str, way: str) -> list[str]:
    """Run one command in one way, and return what is wrong with its end."""
    line, environ, statuses = WAYS[way]
    called = f"{shlex.quote(sys.executable)} -m jaxtutor {command}"
    ran = subprocess.run(
        ["bash", "-c", line.replace("$j", called)],
        env={**home.environ, **environ},
        cwd=home.path,
        capture_output=True,
        check=False,
        timeout=120,
    )
    found = [] if ran.returncode in statuses else [f"its status is {ran.returncode}"]
    said = ran.stderr + ran.stdout
    words = (b"Traceback (most", b"fault of jaxtutor", b"Exception ignored")
    return found + [f"{word!r} in {said[-300:]!r}" for word in words if word in said]
