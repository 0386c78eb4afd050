"""Sends signals in every state of a session, stops and continues it, and kills editors."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator

from trials import Figure
from trials.pty_screen import PtyTerminal
from trials.view.home import EDITORS, LESSON, PREFIX, SEED, Home, Tally, calm, given_back

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
            []
            if terminal.await_("enter edit", seconds=20)
            else [f"not reported: {terminal.rows()}"]
        )
        if not terminal.sees("vim") or not (terminal.sees("signal") or terminal.sees("status")):
            found.append(f"the reason is missing: {terminal.rows()[:3]}")
        terminal.press("q")
        return found + given_back(terminal, 0)
