"""Chooses where the editor and the verdict are shown."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

FEWEST_ROWS = 16

Place = Literal["beside", "rows", "panes", "whole"]


class Layout(Struct, frozen=True):
    """Where the editor runs, and a sentence that explains it."""

    place: Place
    says: str


def choose_layout(
    requested: str, editor: str, is_windowed: bool, rows: int, term: str, multiplexer: str
) -> Layout:
    """Choose the layout for an editor; `multiplexer` is the name of the enclosing one, if any."""
    if is_windowed:
        return Layout(
            "beside", f"{editor} opens in its own window. The verdict on each save appears here."
        )
    whole = f"{editor} uses the whole screen. The verdict appears when you leave it"
    if requested == "plain":
        return Layout("whole", f"{whole}.")
    if term in ("", "dumb"):
        return Layout("whole", f"{whole}, because this terminal cannot position text.")
    if requested == "panes" and multiplexer:
        return Layout("panes", f"{editor} opens in a pane of {multiplexer}.")
    if rows < FEWEST_ROWS:
        return Layout("whole", f"{whole}, because both need at least {FEWEST_ROWS} rows.")
    if requested == "panes":
        return Layout("rows", f"No multiplexer was found. The verdict appears below {editor}.")
    return Layout("rows", f"The verdict on each save appears below {editor}.")
