"""Tests the choice of layout and the height of the panel."""

from __future__ import annotations

import pytest

from jaxtutor.core.terminal.layout import choose_layout
from jaxtutor.session.panel_rows import choose_panel


@pytest.mark.parametrize(
    ("asked", "windowed", "rows", "term", "multiplexer", "place"),
    [
        ("auto", True, 40, "xterm", "", "beside"),
        ("rows", True, 40, "xterm", "", "beside"),
        ("auto", False, 40, "xterm", "", "rows"),
        ("auto", False, 40, "xterm", "tmux", "rows"),
        ("auto", False, 16, "xterm", "", "rows"),
        ("auto", False, 15, "xterm", "", "whole"),
        ("rows", False, 40, "dumb", "", "whole"),
        ("rows", False, 40, "", "", "whole"),
        ("plain", False, 40, "xterm", "", "whole"),
        ("panes", False, 40, "xterm", "tmux", "panes"),
        ("panes", False, 12, "xterm", "tmux", "panes"),
        ("panes", False, 40, "xterm", "", "rows"),
        ("panes", True, 40, "xterm", "tmux", "beside"),
    ],
)
def test_the_layout(
    asked: str, windowed: bool, rows: int, term: str, multiplexer: str, place: str
) -> None:
    """A window comes first, then panes if requested, then rows if they fit."""
    layout = choose_layout(asked, "vim", windowed, rows, term, multiplexer)

    assert place == layout.place
    assert layout.says.startswith(("vim", "The verdict", "No multiplexer"))


@pytest.mark.parametrize(
    ("rows", "grown", "panel"),
    [(40, 0, 12), (24, 0, 7), (16, 0, 6), (16, 50, 12), (40, -50, 1), (100, 0, 30), (5, 0, 1)],
)
def test_the_panels_rows(rows: int, grown: int, panel: int) -> None:
    """The panel has about a third of the rows, at least six, and leaves some to the editor."""
    assert panel == choose_panel(rows, grown)
