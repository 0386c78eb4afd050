"""Tests a short version of the trial of the session's screen: few sizes, keys and signals."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys

import pytest

from trials.pty_screen import PtyTerminal, Screen
from trials.view import keys, pastes, signals, sizes, unusual
from trials.view.home import PREFIX, SEED, Home, Tally, given_back

needs_vim = pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")


@pytest.mark.slow
def test_any_size() -> None:
    """After bursts of resizing, the panel and the editor's rows are as if redrawn."""
    tally = Tally("")
    sizes.resize("scripted", 12, SEED, tally)

    assert [] == tally.failures
    assert 2 <= tally.tried


@pytest.mark.slow
def test_a_size_for_a_moment() -> None:
    """An editor that missed a momentary resize redraws what was lost."""
    with Home("scripted") as home, home.edit() as terminal:
        for _ in range(3):
            terminal.resize(40, 20)
            terminal.resize(100, 30)
            terminal.settle()
            terminal.resize(40, 20)
            terminal.pump(0.01)
            terminal.resize(100, 30)
            faults = sizes.differences(terminal, "scripted")
            assert [] == faults


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "all kinds of bytes, bracketed",
        pytest.param("an escape at the end", marks=pytest.mark.slow),
    ],
)
def test_a_paste(name: str) -> None:
    """A paste arrives completely, and keys work after it."""
    data = pastes.PASTES[name](random.Random(SEED), 50_000)
    assert [] == pastes.paste(data)


@pytest.mark.slow
def test_keys_on_a_page() -> None:
    """Keys, answers and pastes that arrive in parts do not end the page."""
    tally, dice = Tally(""), random.Random(SEED)
    answers = [it for it in keys.SEQUENCES if it[:2] in (b"\x1b]", b"\x1bP", b"\x1b_")]
    pasted = b"\x1b[200~" + b"try quit ry " * 2000 + b"\x1b[201~"
    keys.press_on_page("", [*answers, pasted, b"\x1b", b"\xff", b"\x00"], dice, tally, (100, 30))

    assert [] == tally.failures


def test_keys_after_the_prefix() -> None:
    """Keys after the panel was left go to the editor, even if they arrive in one read."""
    with Home("scripted") as home, home.edit() as terminal:
        terminal.press(f"{PREFIX}hju")
        assert terminal.await_("Hint ")
        terminal.press("ixq")
        terminal.settle()

        assert b"ixq" == home.notes.read_bytes()[-3:]
        assert b"u" not in home.notes.read_bytes()[-4:]


@pytest.mark.slow
def test_random_keys() -> None:
    """Each of sixty random keys goes to the one that the status line names."""
    tally = Tally("")
    keys.press_by_the_row(60, random.Random(SEED), tally)

    assert [] == tally.failures


@needs_vim
@pytest.mark.parametrize(
    ("state", "number"),
    [
        ("page", signal.SIGTERM),
        pytest.param("rows", signal.SIGQUIT, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_signal(state: str, number: signal.Signals) -> None:
    """A signal ends the session with its own status and restores the terminal."""
    assert [] == signals.end_by(state, number)


@pytest.mark.skipif(not shutil.which("less"), reason="less is not installed")
def test_a_pager_is_ended_with_us() -> None:
    """When the session is terminated, so is a pager, and the terminal is restored."""
    assert [] == signals.end_by("pager", signal.SIGTERM)


@pytest.mark.slow
def test_not_read() -> None:
    """The session ends on a signal even if nobody reads its output."""
    assert [] == unusual.end_unread()


# ---------------------------------------------------------------- the trial's own tools


def test_modes_that_are_left_set_are_detected() -> None:
    """A program that leaves modes set is detected."""
    program = (
        "import sys, termios, tty, time; tty.setraw(0)\n"
        "sys.stdout.write('\\x1b[?1049h\\x1b[?1006h\\x1b[>1u\\x1b[3;9rhello'); sys.stdout.flush()\n"
    )
    with PtyTerminal([sys.executable, "-c", program], dict(os.environ)) as terminal:
        faults = given_back(terminal, 0)

    assert ["mode 1006 is on", "mode 1049 is on"] == faults[:2]
    assert {"a way of reporting keys is left", "the terminal's settings differ"} < {*faults}
    assert "margins are Margins(top=2, bottom=8)" in faults


def test_the_screen_scrolls_between_margins() -> None:
    """The emulator scrolls between margins, which pyte does not."""
    screen = Screen(10, 5)
    for row in range(5):
        screen.cursor_position(row + 1, 1)
        screen.draw(str(row))
    screen.set_margins(2, 4)
    screen.scroll_up(1)
    above = [row.strip() for row in screen.display]
    screen.scroll_down(1)
    screen.cursor_position(1, 1)
    screen.draw("x")
    screen.repeat(3)

    assert ["0", "2", "3", "", "4"] == above
    assert ["xxxx", "", "2", "3", "4"] == [row.strip() for row in screen.display]
