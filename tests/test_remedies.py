"""Tests the tools that measure how many verdicts show what to do."""

from __future__ import annotations

import pytest

from trials.remedies import choose, shows, visible_rows


@pytest.mark.parametrize(
    ("lines", "is_shown"),
    [
        (["Use `a` for one,", "or `b` for more."], True),
        (["Use `a` for one,"], False),
        (["Something else."], False),
    ],
)
def test_a_sentence_is_visible_whole(lines: list[str], is_shown: bool) -> None:
    """A sentence counts if all of it is in the visible rows."""
    assert is_shown == shows(lines, "Use `a` for one, or `b` for more.")


def test_a_short_file_leaves_the_panel_more_rows() -> None:
    """The panel has its own rows, and those of the editor that a short file leaves empty."""
    short, long = "x = 1\n" * 5, "x = 1\n" * 40

    assert (6, 11) == (visible_rows(20, long, 80, 24), visible_rows(20, short, 80, 24) - 4)


def test_mistakes_are_chosen_at_random() -> None:
    """A number of mistakes is the beginning of a fixed random order."""
    assert [it[1] for it in choose(5)] == [it[1] for it in choose(9)][:5]
