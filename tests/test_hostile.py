"""Tests that submissions which go wrong are named and ended, and leave nothing behind."""

from __future__ import annotations

import time

import pytest

from trials.entrances import Terminal, plain, tutor
from trials.hostile import (
    AT_SESSION,
    STUBBORN,
    Place,
    await_words,
    check_all,
    made_place,
    misfit,
    stubborn,
)
from trials.kinds import Expectation, Kind, make
from trials.submissions import find

ENDLESS = b"import time\nprint('ready', 6 * 6)\ntime.sleep(1000)\n"
KINDS = {kind.name: kind for kind in find()}


def test_every_kind_says_what_it_does_and_what_becomes_of_it() -> None:
    """Each kind has a sentence, a status and words; each name is there once."""
    names = [kind.name for kind in find()]

    assert sorted(set(names)) == sorted(names)
    assert [] == [kind.name for kind in KINDS.values() if not kind.does]
    ended = [
        kind for kind in KINDS.values() if kind.expects.statuses in (("crashed",), ("timed_out",))
    ]
    assert [] == [kind.name for kind in ended if not kind.expects.words]


def test_the_chosen_kinds_are_there() -> None:
    """Those that are tried in a session, and those that do not heed Ctrl-C, have their files."""
    assert set() == {*AT_SESSION, *STUBBORN} - set(KINDS)


def test_a_kind_without_an_expectation_is_refused() -> None:
    """What does not say what it must come to proves nothing."""
    with pytest.raises(ValueError, match="it: the first lines"):
        make("it", "# It does something.\n# else", b"")


def test_another_outcome_than_the_expected_is_reported() -> None:
    """A verdict of another status, or without the words, is a misfit."""
    expected = Expectation(("crashed",), "exit status 3")

    assert "" == misfit(expected, "crashed", "It left with exit status 3.")
    assert misfit(expected, "passed", "exit status 3").startswith("passed instead of crashed")
    assert misfit(expected, "crashed", "exit status 0").startswith("'exit status 3' is not in")


@pytest.mark.slow
def test_a_few_kinds_at_one_tutor() -> None:
    """Each is named, ends, leaves nothing, and costs the next submission nothing."""
    chosen: list[Kind] = [KINDS[name] for name in ("loop_python", "exit_0", "daemon")]
    with made_place() as place:
        figures = list(check_all(place, chosen))

    assert [] == [figure for figure in figures if not figure.holds]


def test_ctrl_c_in_a_script_says_where_it_was() -> None:
    """The script and the learner are notified; the status is that of an interrupt."""
    with made_place() as place:
        command = tutor("diagnose", "--plain", str(place.write(ENDLESS)))
        terminal = Terminal(command, place.environ, place.folder, None)
        assert await_words(terminal, ("ready 36",), 90.0)
        terminal.type(b"\x03")
        ended = terminal.end(60.0)

    assert 130 == ended.status
    assert "KeyboardInterrupt The program was interrupted here." in plain(ended.text)


def test_ctrl_c_ends_by_force_what_does_not_heed_it() -> None:
    """A count in C hears no signal; at the third key it is ended, and nothing is left."""
    with made_place() as place:
        figures = list(stubborn(place, ["loop_c"]))

    assert [] == [figure for figure in figures if not figure.holds]


def test_ctrl_c_reaches_a_script_whose_output_is_captured() -> None:
    """With --json the script is in a session of its own, and ends all the same."""
    source = b"import time\nopen('ready', 'w').close()\ntime.sleep(1000)\n"
    with made_place() as place:
        command = tutor("diagnose", "--json", str(place.write(source)))
        terminal = Terminal(command, place.environ, place.folder, None)
        assert _eventually(place, "ready")
        terminal.type(b"\x03")
        ended = terminal.end(60.0)
        left = place.left_after(lambda running: not running)

    assert (130, []) == (ended.status, left)


def test_a_script_does_not_outlive_its_tutor() -> None:
    """Where the tutor is killed, the script that shared its terminal ends too."""
    with made_place() as place:
        command = tutor("diagnose", "--plain", str(place.write(ENDLESS)))
        terminal = Terminal(command, place.environ, place.folder, None)
        assert await_words(terminal, ("ready 36",), 90.0)
        terminal.end(0.0)
        left = place.left_after(lambda running: not running)

    assert [] == left


def test_the_terminal_is_given_back_as_it_was() -> None:
    """A script that turns echo off, stops blocking and dies so costs the shell nothing."""
    source = (
        b"import os, termios\nmodes = termios.tcgetattr(0)\nmodes[3] &= ~termios.ECHO\n"
        b"termios.tcsetattr(0, termios.TCSANOW, modes)\nos.set_blocking(1, False)\nos.abort()\n"
    )
    with made_place() as place:
        command = tutor("diagnose", "--plain", str(place.write(source)))
        ended = Terminal(command, place.environ, place.folder, None).end(90.0)

    assert (1, True) == (ended.status, ended.settings_kept)
    assert "It was ended by SIGABRT." in plain(ended.text)


def _eventually(place: Place, name: str) -> bool:
    end = time.monotonic() + 90.0
    while not (place.folder / name).exists() and time.monotonic() < end:
        time.sleep(0.05)
    return (place.folder / name).exists()
