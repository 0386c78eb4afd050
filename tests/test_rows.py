"""Tests an editor in the upper rows: when the panel is painted, and how editors stop and end."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from jaxtutor.session import session_leader
from jaxtutor.session import split_pty as module
from jaxtutor.session.messages import ScreenUpdate
from jaxtutor.session.panel_rows import PanelLines
from jaxtutor.session.size_check import NARROW_AFTER, NARROW_FOR, SizeCheck
from jaxtutor.session.split_pty import SplitPty

# The process at the terminal forks with one thread and without jax. The process of the tests may
# have both, from earlier tests, and warns about it.
pytestmark = [
    pytest.mark.filterwarnings(r"ignore:os\.fork\(\) was called:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*is multi-threaded, use of fork:DeprecationWarning"),
]

PANEL = 6
LONG = 20.0


class Screen:
    """A terminal that records what was written to it."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.columns, self.rows = 80, 24
        self.written: list[bytes] = []
        ours, theirs = os.openpty()
        self.modes = termios.tcgetattr(theirs)
        os.close(ours)
        os.close(theirs)
        self.output = os.open(os.devnull, os.O_WRONLY)

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def write(self, data: bytes) -> None:
        self.written.append(data)


Run = Callable[[str], SplitPty]


@pytest.fixture
def screen() -> Screen:
    """Return a terminal of 24 rows."""
    return Screen()


@pytest.fixture
def run(screen: Screen) -> Iterator[Run]:
    """Run Python as the editor. It prints READY when it has started."""
    started: list[SplitPty] = []

    def start(text: str) -> SplitPty:
        head = "import os, signal, sys, time\nsay = lambda it: os.write(1, it)\n"
        command = [sys.executable, "-c", head + text]
        started.append(SplitPty(cast(Any, screen), command, os.environ, PANEL))
        return started[-1]

    yield start
    for rows in started:
        if rows.popen.returncode is None:
            rows.close()


def pump(rows: SplitPty, screen: Screen, until: bytes) -> None:
    """Pass on the editor's output until it has written something."""
    end = time.monotonic() + LONG
    while until not in b"".join(screen.written):
        assert time.monotonic() < end, screen.written
        if select.select([rows.handle], [], [], 0.1)[0]:
            assert rows.pump()


def settle(rows: SplitPty, screen: Screen) -> bytes:
    """Return the next thing that is painted."""
    screen.written.clear()
    end = time.monotonic() + LONG
    while not screen.written:
        assert time.monotonic() < end
        time.sleep(0.01)
        rows.settle()
    return b"".join(screen.written)


def await_state(rows: SplitPty) -> int | str:
    """Wait until the editor has stopped or ended, and return which."""
    end = time.monotonic() + LONG
    while (state := rows.poll()) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return state


def find_editor(rows: SplitPty) -> psutil.Process:
    """Return the editor's process, the child of its session leader."""
    return psutil.Process(rows.popen.pid).children()[0]


FRAME = ScreenUpdate(("first", "second"), "status")

# ---------------------------------------------------------------- painting


def test_the_panel_is_painted_when_the_editor_is_quiet(run: Run, screen: Screen) -> None:
    """The panel is painted below once the editor is quiet, then only the lines that changed."""
    rows = run("say(b'READY'); time.sleep(60)")
    pump(rows, screen, b"READY")
    rows.show(FRAME)
    first = settle(rows, screen)
    rows.show(ScreenUpdate(("first", "another"), "status"))
    second = settle(rows, screen)

    assert b"\x1b[19;1H\x1b[0m\x1b[Kstatus\x1b[20;1H\x1b[0m\x1b[Kfirst" in first
    assert (True, False) == (b"another" in second, b"first" in second)
    assert b"?2026" not in first


def test_an_erase_repaints_in_the_same_write(run: Run, screen: Screen) -> None:
    """After an erase that removed the panel, the panel is painted in the same write."""
    rows = run("input(); say(b'\\x1b[2JREADY'); time.sleep(60)")
    rows.show(FRAME)
    settle(rows, screen)
    rows.send(b"\n")
    pump(rows, screen, b"READY")

    erasing = next(data for data in screen.written if b"\x1b[2J" in data)
    assert b"status" in erasing


def test_a_saved_cursor_holds_the_painting_up(
    run: Run, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an editor has saved the cursor, the panel waits, but not forever."""
    rows = run("say(b'\\x1b7\\x1b[1;1HREADY'); time.sleep(60)")
    pump(rows, screen, b"READY")
    rows.show(FRAME)
    screen.written.clear()
    monkeypatch.setattr(module, "AT_LAST", LONG)
    time.sleep(2 * module.QUIET)
    rows.settle()
    soon = list(screen.written)
    monkeypatch.setattr(module, "AT_LAST", module.QUIET)

    assert ([], True) == (soon, b"status" in settle(rows, screen))


def test_a_size_that_did_not_change_erases_nothing(run: Run, screen: Screen) -> None:
    """When an unchanged size is set again, the editor's rows stay and the panel is redrawn."""
    rows = run("say(b'READY'); time.sleep(60)")
    pump(rows, screen, b"READY")
    rows.show(FRAME)
    settle(rows, screen)
    rows.resize(PANEL)
    same = settle(rows, screen)
    rows.resize(PANEL + 1)

    assert (False, True) == (b"\x1b[2J" in same, b"status" in same)
    assert b"\x1b[2J" in b"".join(screen.written)


def test_a_size_for_a_moment(run: Run, screen: Screen) -> None:
    """An editor that already has the size gets another and then its own, so that it redraws."""
    rows = run(
        "size = lambda *_: say(b'%d ' % os.get_terminal_size().columns)\n"
        "signal.signal(signal.SIGWINCH, size); say(b'READY')\n"
        "while True: time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    screen.written.clear()
    rows.resize(PANEL, by_terminal=True)
    margins = b"".join(screen.written)
    end = time.monotonic() + LONG
    while b"79 80 " not in b"".join(screen.written):
        assert time.monotonic() < end, screen.written
        if select.select([rows.handle], [], [], rows.timeout() or 0.1)[0]:
            rows.pump()
        rows.settle()

    assert b"\x1b7\x1b[1;18r\x1b8" == margins


def test_the_editor_has_the_upper_rows_and_no_size_from_us(run: Run, screen: Screen) -> None:
    """The editor's terminal has the upper rows only, and LINES and COLUMNS are not set."""
    rows = run("say(str(tuple(os.get_terminal_size())).encode() + b'READY'); time.sleep(60)")
    pump(rows, screen, b"READY")

    assert b"(80, 18)" in b"".join(screen.written)


def test_much_input_does_not_wait_for_an_editor_that_writes(run: Run, screen: Screen) -> None:
    """A long paste and much output at once do not block each other."""
    text = b"x" * 500_000
    rows = run(
        "import tty; tty.setraw(0); say(b'READY')\n"
        "left = 500_000\n"
        "while left: data = os.read(0, 4096); left -= len(data); say(data)\n"
        "say(b'END'); time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    rows.send(text)
    end = time.monotonic() + LONG
    while b"END" not in b"".join(screen.written[-2:]):
        assert time.monotonic() < end
        select.select([rows.handle], [rows.handle] if rows.has_queue else [], [], 0.1)
        rows.flush()
        rows.pump()

    assert 500_000 == b"".join(screen.written).count(b"x")


# ---------------------------------------------------------------- stops and ends


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("sys.exit(0)", 0),
        ("sys.exit(7)", 7),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("os.abort()", -signal.SIGABRT),
    ],
)
def test_how_it_ended_is_known(run: Run, text: str, status: int) -> None:
    """The exit status or signal is the editor's own."""
    assert status == await_state(run(text))


def test_what_cannot_be_run_is_reported(screen: Screen) -> None:
    """A missing program is reported at once, as without a session leader."""
    with pytest.raises(FileNotFoundError):
        SplitPty(cast(Any, screen), ["/nothing/here"], os.environ, PANEL)


@pytest.mark.parametrize("number", ["SIGTSTP", "SIGSTOP"])
def test_it_may_stop_itself(run: Run, screen: Screen, number: str) -> None:
    """An editor that stops its process group is detected, and continues when told to."""
    rows = run(f"os.killpg(0, signal.{number}); say(b'AGAIN'); sys.exit(5)")
    state = await_state(rows)
    rows.resume()
    pump(rows, screen, b"AGAIN")

    assert ("stopped", 5) == (state, await_state(rows))


def test_it_is_stopped_and_goes_on(run: Run, screen: Screen) -> None:
    """A stop from outside stops the editor until it is continued."""
    rows = run("say(b'READY'); input(); say(b'AGAIN'); time.sleep(60)")
    pump(rows, screen, b"READY")
    rows.stop()
    state = await_state(rows)
    editor = find_editor(rows).status()
    rows.resume()
    rows.send(b"\n")
    pump(rows, screen, b"AGAIN")

    assert ("stopped", psutil.STATUS_STOPPED) == (state, editor)


def test_closing_hangs_up(run: Run, screen: Screen, tmp_path: Path) -> None:
    """Closing hangs the editor up once, so that it can save its text."""
    saved = tmp_path / "saved"
    rows = run(
        "def save(*_):\n"
        f"    file = open({str(saved)!r}, 'ab', 0); file.write(b'saving ')\n"
        "    time.sleep(0.3); os._exit(0)\n"
        "signal.signal(signal.SIGHUP, save); say(b'READY'); time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    rows.close()

    assert "saving " == saved.read_text()


def test_a_leader_that_is_slow_misses_no_signal(
    run: Run, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal that comes before the leader of the editor's session has handlers is not lost."""
    release = session_leader._release_inherited

    def release_late(guard: session_leader.Guard) -> None:
        time.sleep(0.5)
        release(guard)

    monkeypatch.setattr(session_leader, "_release_inherited", release_late)
    rows = run("say(b'READY'); time.sleep(60)")
    pump(rows, screen, b"READY")
    editor = find_editor(rows)
    rows.stop()
    state = await_state(rows)

    assert ("stopped", psutil.STATUS_STOPPED) == (state, editor.status())


def test_closing_one_that_is_stopped(run: Run, screen: Screen) -> None:
    """A stopped editor is closed too."""
    rows = run("say(b'READY'); time.sleep(60)")
    pump(rows, screen, b"READY")
    editor = find_editor(rows)
    rows.stop()
    await_state(rows)
    rows.close()

    assert not editor.is_running()


def test_closing_one_that_will_not_end(
    run: Run, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that ignores the hangup is killed after a while."""
    monkeypatch.setattr(module, "HANGING_UP", 0.3)
    rows = run(
        "signal.signal(signal.SIGHUP, signal.SIG_IGN); say(b'READY')\nwhile True: time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    editor = find_editor(rows)
    rows.close()

    assert not editor.is_running()
    assert -signal.SIGKILL == rows.popen.returncode


def test_its_words_are_kept_until_it_draws(run: Run, screen: Screen) -> None:
    """Text printed before an editor draws is kept for the report of its end."""
    plain = run("say(b'no database'); sys.exit(3)")
    await_state(plain)
    plain.close()
    drawn = run("say(b'\\x1b[Hno words'); sys.exit(3)")
    await_state(drawn)
    drawn.close()

    assert ("no database", "") == (plain.text_output, drawn.text_output)


# ---------------------------------------------------------------- state


def test_a_doubtful_size_is_followed_by_a_narrower_one() -> None:
    """The editor gets a narrower width, and its own once it has drawn and is silent again."""
    check = SizeCheck()
    check.note_resize(100.0, is_suspect=True, is_same=True)

    assert check.deadline(0.0) == pytest.approx(100.0 + NARROW_AFTER)
    assert [None, 1, None, None, 0, None] == [
        check.step(now, last_output)
        for now, last_output in (
            (100.1, 99.0),  # too early
            (101.0, 99.0),
            (101.5, 99.0),  # it has not drawn yet
            (101.6, 101.55),  # it is drawing
            (101.7, 101.55),
            (200.0, 101.55),  # all is done
        )
    ]
    assert check.deadline(101.55) is None


def test_an_editor_that_never_draws_gets_its_own_size_back() -> None:
    """The narrower width ends after a time limit."""
    check = SizeCheck()
    check.request(100.0)

    assert 1 == check.step(100.0, 99.0)
    assert check.deadline(99.0) == pytest.approx(100.0 + NARROW_FOR)
    assert 0 == check.step(100.0 + NARROW_FOR, 99.0)


@pytest.mark.parametrize(
    ("is_suspect", "is_same", "seconds", "is_checked"),
    [(False, True, 1.0, False), (True, False, 1.0, True), (True, False, 9.0, False)],
    ids=["our own change", "two in quick succession", "one by itself"],
)
def test_only_a_doubtful_size_is_checked(
    is_suspect: bool, is_same: bool, seconds: float, is_checked: bool
) -> None:
    """A change of size that an editor cannot miss has no consequences."""
    check = SizeCheck(resized=100.0)
    check.note_resize(100.0 + seconds, is_suspect, is_same)
    assert is_checked == (check.due is not None)


def test_only_changed_lines_are_painted() -> None:
    """After an erase, every line is."""
    lines = PanelLines(["", "", ""])
    lines.show(FRAME, 1.0)
    painted = [lines.take_changes()]
    lines.show(ScreenUpdate(("first", "third"), "status"), 2.0)
    painted.append(lines.take_changes())
    lines.invalidate(3.0)

    assert [{0: "status", 1: "first", 2: "second"}, {2: "third"}] == painted
    assert (3.0, [0, 1, 2]) == (lines.due, list(lines.take_changes()))


# ---------------------------------------------------------------- rows that are lent

WANTED = 11
VERDICT = ScreenUpdate(tuple("abcdefghij"), "status", wanted=WANTED, check=1)


def lend(rows: SplitPty, screen: Screen) -> None:
    """Wait until the panel has the rows that it wants."""
    end = time.monotonic() + LONG
    while rows.panel < WANTED:
        assert time.monotonic() < end
        if select.select([rows.handle], [], [], 0.02)[0]:
            rows.pump()
        rows.settle()


def test_empty_rows_are_lent_and_returned(run: Run, screen: Screen) -> None:
    """The editor is resized when its empty rows are lent, and again after a pass."""
    rows = run(
        "signal.signal(signal.SIGWINCH, lambda *_: say(b'%d;' % os.get_terminal_size(0).lines))\n"
        "say(b'text\\r\\nREADY')\n"
        "while True: time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    rows.show(VERDICT)
    lend(rows, screen)
    pump(rows, screen, b"13;")
    rows.show(ScreenUpdate(("passed",), "status", wanted=0, check=2))
    end = time.monotonic() + LONG
    while rows.panel > PANEL:
        assert time.monotonic() < end
        time.sleep(0.02)
        rows.settle()

    pump(rows, screen, b"18;")


def test_an_editor_that_keeps_painting_rows_it_has_lent(run: Run, screen: Screen) -> None:
    """Output for rows that were lent goes to the editor's last row, and the panel stays."""
    rows = run(
        "say(b'text\\r\\nREADY'); input(); say(b'\\x1b[17;1H~\\x1b[18;1HDONE'); time.sleep(60)"
    )
    pump(rows, screen, b"READY")
    rows.show(VERDICT)
    lend(rows, screen)
    screen.written.clear()
    rows.send(b"\n")
    pump(rows, screen, b"DONE")

    assert b"\x1b[13;1H~\x1b[13;1HDONE" in b"".join(screen.written)
    rows.show(ScreenUpdate(("passed",), "status", wanted=0, check=2))
    rows.settle()
    time.sleep(module.CALM)
    rows.settle()
    assert PANEL == rows.panel


def test_the_whole_screen_is_given_back(run: Run, screen: Screen) -> None:
    """While the panel has the whole screen, the editor's output is not shown, and its modes are."""
    rows = run("say(b'READY'); input(); say(b'\\x1b[?1002hHIDDEN'); time.sleep(60)")
    pump(rows, screen, b"READY")
    rows.show(ScreenUpdate(("line",), "status", whole=True))
    shown = settle(rows, screen)
    rows.send(b"\n")
    while not rows.has_mouse:
        select.select([rows.handle], [], [], LONG)
        rows.pump()
    hidden = b"".join(screen.written)
    screen.written.clear()
    rows.show(ScreenUpdate(("line",), "status"))

    assert b"\x1b[1;1H\x1b[0m\x1b[Kstatus" in shown
    assert b"HIDDEN" not in hidden
    assert b"\x1b[?1002h" in b"".join(screen.written)
    assert b"\x1b[1;18r" in b"".join(screen.written)
