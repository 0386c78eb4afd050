"""Tests the filter between an editor and the upper rows of a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxtutor.core.terminal.output_filter import HELD, LEAVE, Filter, Passed

ROWS, COLUMNS = 20, 80
SESSIONS = sorted((Path(__file__).parent / "data" / "sessions").glob("*.bytes"))


def make() -> Filter:
    """Return a filter for an editor of twenty rows."""
    return Filter(ROWS, COLUMNS)


def together(parts: list[Passed]) -> Passed:
    """Return the combined result of several feeds."""
    return Passed(
        b"".join(part.output for part in parts),
        b"".join(part.reply for part in parts),
        any(part.erased for part in parts),
    )


# ---------------------------------------------------------------- sequences

HELD_TO_ROWS = [
    (b"\x1b[r", b"\x1b[1;20r"),
    (b"\x1b[;r", b"\x1b[1;20r"),
    (b"\x1b[5r", b"\x1b[5;20r"),
    (b"\x1b[3;24r", b"\x1b[3;20r"),
    (b"\x1b[3;12r", b"\x1b[3;12r"),
    (b"\x1b[999;999H", b"\x1b[20;999H"),
    (b"\x1b[24H", b"\x1b[20H"),
    (b"\x1b[24;1f", b"\x1b[20;1f"),
    (b"\x1b[30d", b"\x1b[20d"),
    (b"\x1b[20;80H", b"\x1b[20;80H"),
    (b"\x1b[H", b"\x1b[H"),
    (b"\x1b[1J", b"\x1b[1J"),
    (b"\x1b[?1049l", b""),
    (b"\x1b[?47l", b""),
    (b"\x1b[?1049;2004l", b"\x1b[?2004l"),
    (b"\x1b[?2048h", b""),
    (b"\x1b[?2048;1004h", b"\x1b[?1004h"),
    (b"\x1b[?3h", b""),
    (b"\x1b[14t", b""),
    (b"\x1b[19t", b""),
    (b"\x1b[8;50;100t", b""),
    (b"\x1b[22;0t", b"\x1b[22;0t"),
    (b"\x1b[!p", b"\x1b[!p\x1b[1;20r"),
]


@pytest.mark.parametrize(("sent", "becomes"), HELD_TO_ROWS, ids=repr)
def test_it_is_held_to_its_rows(sent: bytes, becomes: bytes) -> None:
    """Margins, moves, modes and window requests are limited to the editor's rows."""
    assert Passed(becomes) == make().feed(sent)


@pytest.mark.parametrize(
    "sent",
    [b"\x1b[J", b"\x1b[0J", b"\x1b[2J", b"\x1b[3J", b"\x1b[?J", b"\x1b[?2J", b"text\x1b[2Jmore"],
)
def test_an_erase_takes_the_panel_too(sent: bytes) -> None:
    """An erase that includes the panel's rows is passed on, and the panel is marked as erased."""
    assert Passed(sent, erased=True) == make().feed(sent)


@pytest.mark.parametrize("mode", [b"47", b"1047", b"1049"])
def test_entering_the_alternate_screen_only_clears(mode: bytes) -> None:
    """Entering the alternate screen only clears it, because the session uses it already."""
    assert Passed(b"\x1b[2J", erased=True) == make().feed(b"\x1b[?%sh" % mode)


def test_a_full_reset_becomes_a_soft_one() -> None:
    """A full reset is replaced by one that resets modes and clears, but keeps the margins."""
    assert Passed(b"\x1b[!p\x1b[H\x1b[2J\x1b[1;20r", erased=True) == make().feed(b"\x1bc")


def test_the_size_is_the_editors() -> None:
    """The reported size in characters is that of the editor's rows."""
    assert Passed(reply=b"\x1b[8;20;80t") == make().feed(b"\x1b[18t")


def test_reports_in_band_are_unknown() -> None:
    """The query for in-band size reports is answered with "not recognised"."""
    assert Passed(reply=b"\x1b[?2048;0$y") == make().feed(b"\x1b[?2048$p")


@pytest.mark.parametrize(
    "sent",
    [
        b"plain \xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\x89",
        b"\x1b[38:2::1:2:3mred\x1b[0m",
        b"\x1b[?2004h\x1b[?1h\x1b=",
        b"\x1b[6n\x1b[c\x1b[>c\x1b[?u",
        b"\x1b]0;a title\x07\x1b]52;c;aGk=\x1b\\",
        b"\x1bP+q544e\x1b\\",
        b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\",
        b"\x1b(0lqk\x1b(B",
        b"\x1b[2 q\x1b[?1006h\x1b[5;10r",
        b"\x1b[?12$p",
    ],
)
def test_all_else_passes_untouched(sent: bytes) -> None:
    """Text, colours, titles, queries and answers pass unchanged."""
    assert Passed(sent) == make().feed(sent)


@pytest.mark.parametrize(
    "broken", [b"\x1b[3\x18", b"\x1b[12\x1b[m", b"\x1b\x1b[m", b"\x1b]0;t\x1b[m"]
)
def test_a_broken_sequence_does_nothing(broken: bytes) -> None:
    """A sequence that is cancelled or interrupted is dropped, as terminals do."""
    assert make().feed(broken).output in (b"", b"\x1b[m")


# ---------------------------------------------------------------- when to paint


@pytest.mark.parametrize(
    "begun",
    [b"\x1b", b"\x1b[", b"\x1b[12", b"\x1b]0;ti", b"\x1bPq", b"\xe2\x82", b"\xf0", b"\x1b("],
)
def test_what_is_begun_is_held_back(begun: bytes) -> None:
    """Incomplete sequences and characters are held back, and nothing is painted between them."""
    half = make()

    assert (Passed(b"a"), False) == (half.feed(b"a" + begun), half.is_quiet)


def test_nothing_is_held_for_ever() -> None:
    """A string sequence without an end passes once it exceeds any legitimate length."""
    assert HELD < len(make().feed(b"\x1b]52;" + b"x" * (HELD + 1)).output)


def test_no_painting_during_an_update() -> None:
    """During an editor's synchronized update, the panel is not painted."""
    updating = make()
    updating.feed(b"\x1b[?2026h")
    before = updating.is_quiet
    updating.feed(b"\x1b[?2026l")

    assert (False, True) == (before, updating.is_quiet)


def test_no_painting_between_margins_at_the_sides() -> None:
    """With left and right margins, the panel is not painted, even after an erase."""
    narrow = make()
    narrow.feed(b"\x1b[?69h")

    assert (False, False) == (narrow.is_quiet, narrow.may_repaint)


def test_painting_leaves_the_editors_modes() -> None:
    """Painting keeps the cursor hidden and lines unwrapped if the editor had them so."""
    hidden = make()
    hidden.feed(b"\x1b[?25l\x1b[?7l")
    painted = hidden.paint({21: b"hello"})

    assert b"\x1b[21;1H\x1b[0m\x1b[Khello" in painted
    assert (False, False) == (b"\x1b[?25h" in painted, b"\x1b[?7h" in painted)


@pytest.mark.parametrize("saves", [b"\x1b7", b"\x1b[s", b"\x1b[?1048h"])
@pytest.mark.parametrize("restores", [b"\x1b8", b"\x1b[u", b"\x1b[?1048l"])
def test_no_painting_while_a_cursor_is_saved(saves: bytes, restores: bytes) -> None:
    """Between an editor's saving and restoring the cursor, the panel is not painted."""
    busy = make()
    busy.feed(b"\x1b[5;5H" + saves + b"\x1b[20;1Hstatus")
    during = (busy.is_quiet, busy.may_repaint, busy.can_paint)
    busy.feed(restores)

    assert ((False, False, True), True) == (during, busy.is_quiet)


@pytest.mark.parametrize(
    "sent", [b"\x1b[?u", b"\x1b[>1u", b"\x1b[<u", b"\x1b[?69h\x1b[5;60s\x1b[?69l"]
)
def test_what_looks_like_saving_a_cursor(sent: bytes) -> None:
    """Key protocols and side margins that end in the same letters do not save the cursor."""
    reporting = make()
    reporting.feed(sent)

    assert reporting.is_quiet


def test_modes_are_set_again_as_the_editor_has_them() -> None:
    """After another program used the terminal, each mode is set as the editor last set it."""
    editor = make()
    editor.feed(
        b"\x1b[?1049;1h\x1b[?2004h\x1b[?1006;1000h\x1b[?1000l\x1b[?2048h\x1b[?25l"
        b"\x1b=\x1b[>4;1m\x1b[2 q\x1b[4 q\x1b[>1u\x1b[>5u\x1b[>7u\x1b[<2u"
    )

    assert (
        b"\x1b[?1h\x1b[?2004h\x1b[?1006h\x1b[?1000l\x1b[?25l\x1b=\x1b[>4;1m\x1b[4 q\x1b[>1u"
    ) == editor.modes()


def test_a_reset_forgets_modes() -> None:
    """A soft reset shows the cursor, wraps lines and ends a synchronized update."""
    editor = make()
    editor.feed(b"\x1b[?25l\x1b[?7l\x1b[?2026h\x1b7\x1b[!p")

    assert (b"", True) == (editor.modes(), editor.is_quiet)


def test_another_size_has_other_margins() -> None:
    """After a resize the margins are sent again, and moves are limited to the new rows."""
    grown = make()

    assert (b"\x1b[1;30r", b"\x1b[30;1H") == (
        grown.resize(30, 100),
        grown.feed(b"\x1b[99;1H").output,
    )


# ---------------------------------------------------------------- recorded editors

_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P.*?\x1b\\|[ -/]*[0-OQ-WYZ\\`-~])",
    re.DOTALL,
)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_byte_at_a_time_is_as_all_at_once(session: Path) -> None:
    """The result does not depend on how an editor's bytes are split into reads."""
    data = session.read_bytes()
    whole, slow = make(), make()
    parts = [slow.feed(data[at : at + 1]) for at in range(len(data))]

    assert whole.feed(data) == together(parts)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_every_output_is_whole(session: Path) -> None:
    """Everything written so far consists of complete sequences and characters."""
    data, slow = session.read_bytes(), make()
    for at in range(len(data)):
        output = slow.feed(data[at : at + 1]).output

        assert b"\x1b" not in _ESCAPE.sub(b"", output)
        output.decode()


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_no_editor_reaches_below(session: Path) -> None:
    """No recorded editor, made for a screen of 24 rows, writes below row 20."""
    output = make().feed(session.read_bytes()).output
    moves = [int(row) for row in re.findall(rb"\x1b\[(\d+)(?:;\d*)?[Hfd]", output)]
    bottoms = [int(row) for row in re.findall(rb"\x1b\[\d*;(\d+)r", output)]

    assert max([*moves, *bottoms]) <= ROWS
    assert b"\x1b[r" not in output


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_every_mode_that_an_editor_sets_is_put_back(session: Path) -> None:
    """Every mode that an editor leaves set is reset when the terminal is restored."""
    reset = {
        mode for modes in re.findall(rb"\x1b\[\?([\d;]+)l", LEAVE) for mode in modes.split(b";")
    }
    output = make().feed(session.read_bytes()).output
    left = {
        mode for modes in re.findall(rb"\x1b\[\?([\d;]+)h", output) for mode in modes.split(b";")
    }

    assert set() == left - reset - {b"7", b"25"}  # wrapping on and cursor visible


def test_there_are_recordings() -> None:
    """The recorded sessions exist."""
    assert len(SESSIONS) >= 5
