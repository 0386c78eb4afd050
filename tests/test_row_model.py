"""Tests which rows of an editor's screen count as empty, and who gets them."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtutor.core.terminal.row_model import RowModel
from jaxtutor.session.panel_rows import Loan, limit_loan

ROWS, COLUMNS = 10, 20


def make_model(output: bytes) -> RowModel:
    """Return a model of ten rows after some output."""
    model = RowModel(ROWS, COLUMNS)
    model.feed(output)
    return model


@pytest.mark.parametrize(
    ("output", "empty"),
    [
        (b"", 8),
        (b"one\r\ntwo", 7),
        (b"one\r\n\r\n\r\n", 5),
        (b"one\r\n~\r\n~   \x1b[10;1H-- INSERT --", 8),
        (b"one\x1b[9;1Hstatus\x1b[10;1Hmessage", 7),
        (b"one\x1b[8;1H[ Wrote ]\x1b[9;1H^G Help\x1b[10;1H^X Exit", 6),
        (b"".join(b"%d\r\n" % row for row in range(20)), 0),
        ("é ✓ 世界\x1b[2;1H~ x".encode(), 7),
        (b"x" * 45, 6),
        (b"one\x1b[5;1Htwo\x1b[2J", 4),
        (b"one\x1b[5;1Htwo\x1b[5;1H\x1b[K", 4),
        (b"one\x1b[5;1Htwo\x1b[1;1H\x1b[3M", 7),
        (b"one\x1b[1;1H\x1b[3L", 5),
        (b"one\x1b[4;1H \x1b[15b\x1b[6;1Htwo\x1b[2b", 3),
        (b"\x1b[2;4r\x1b[4;1Hx\n\n\n\x1b[r", 8),
    ],
    ids=repr,
)
def test_empty_rows_are_counted(output: bytes, empty: int) -> None:
    """Blank rows and rows with one tilde below the text and the cursor count, except the last."""
    assert empty == make_model(output).empty


SEQUENCES = st.sampled_from(
    [
        *(b"\x1b[%d;%dH" % (row, column) for row in (1, 4, 9, 10) for column in (1, 7, 20)),
        *(b"\x1b[%d%c" % (count, final) for count in (1, 2, 5) for final in b"ABCDGdLMPXE@F"),
        *(b"\x1b[%dJ" % what for what in (0, 1, 2)),
        *(b"\x1b[%dK" % what for what in (0, 1, 2)),
        *(b"\r", b"\n", b"\b", b"\x1bM", b"\x1bD", b"\x1b7", b"\x1b8"),
        *(b"text", b"~", b"  ", b"def f(x): return 0", "ü".encode()),
    ]
)


@given(st.lists(SEQUENCES, max_size=40))
def test_it_agrees_with_an_emulator(sequences: list[bytes]) -> None:
    """The rows that are empty are those that a terminal emulator shows as empty.

    Margins are left out: pyte moves a cursor that is outside them differently from a terminal.
    """
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    model = RowModel(ROWS, COLUMNS)
    for sequence in sequences:
        for row in range(ROWS):
            screen.buffer[row]  # pyte leaves rows in place that were never written
        stream.feed(sequence)
        model.feed(sequence)
    shown = [row.strip() not in ("", "~") for row in screen.display]

    assert shown == [bytes(row.strip(b"\0")) not in (b"", b"\1") for row in model._cells]


# ---------------------------------------------------------------- lending rows


def test_the_panel_borrows_what_it_can_use() -> None:
    """The panel gets as many rows as it wants, and the editor keeps two empty ones."""
    loan = Loan()
    loan.ask(11, check=1)

    assert (4, 2) == (loan.step(7, empty=9), loan.step(7, empty=4))


def test_rows_go_back_when_the_editor_needs_them() -> None:
    """If no empty row is left, the editor gets all rows back, until the next verdict."""
    loan = Loan(rows=4)
    loan.ask(11, check=1)
    back = [loan.step(11, empty=0), loan.step(7, empty=4)]
    loan.ask(11, check=2)

    assert [0, 0, 2] == [*back, Loan(0, loan.wanted, loan.check, loan.refused).step(7, empty=4)]


def test_a_shorter_verdict_gives_back_what_it_does_not_use() -> None:
    """Rows that a verdict leaves blank in the panel go back to the editor."""
    assert (2, 0) == (
        Loan(rows=4, wanted=9).step(11, empty=2),
        limit_loan(Loan(rows=4, wanted=3).step(11, empty=2), 7, 24),
    )


def test_rows_go_back_after_a_pass() -> None:
    """A verdict that wants no rows gives them back; a view of another kind changes nothing."""
    loan = Loan(rows=4, wanted=11)
    loan.ask(None, check=1)
    before = loan.step(11, empty=2)
    loan.ask(0, check=2)

    assert (4, 0) == (before, loan.step(11, empty=2))
