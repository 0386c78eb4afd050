"""Owns the decision where editor and verdict stand."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

FEWEST_ROWS = 16

Place = Literal["beside", "rows", "panes", "whole"]


class Layout(Struct, frozen=True):
    """Where the editor runs, and the sentence that tells the learner."""

    place: Place
    says: str


def choose_layout(
    asked: str, editor: str, is_windowed: bool, rows: int, term: str, multiplexer: str
) -> Layout:
    """Choose a layout for an editor by name; `multiplexer` is the one around us, if any."""
    if is_windowed:
        return Layout("beside", f"{editor} opens in a window; every save shows here.")
    whole = f"{editor} has the whole screen; the verdict comes when you leave it"
    if asked == "plain":
        return Layout("whole", f"{whole}.")
    if term in ("", "dumb"):
        return Layout("whole", f"{whole}: this terminal cannot place text.")
    if asked == "panes" and multiplexer:
        return Layout("panes", f"{editor} opens in a pane of {multiplexer}.")
    if rows < FEWEST_ROWS:
        return Layout("whole", f"{whole}: fewer than {FEWEST_ROWS} rows are too few for both.")
    if asked == "panes":
        return Layout("rows", "Nothing here can open panes: the verdict stands below.")
    return Layout("rows", f"The verdict on every save stands below {editor}.")
