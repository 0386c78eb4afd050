"""Decides how many rows the panel has, also on loan from the editor, and which lines to paint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxtutor.session.messages import ScreenUpdate

LEAST_EDITOR, LEAST_PANEL = 4, 1
KEPT_EMPTY = 2
"""Empty rows that the editor keeps, so that typing a line or two does not resize it."""


def choose_panel(rows: int, grown: int = 0, wanted: int | None = None) -> int:
    """Return how many rows of the screen the panel gets.

    Unless `wanted` says how many, that is about a third, and at least six.
    """
    usual = max(6, rows * 3 // 10) if wanted is None else wanted
    return max(LEAST_PANEL, min(usual + grown, rows - max(LEAST_EDITOR, rows // 4)))


def limit_loan(rows: int, panel: int, screen: int) -> int:
    """Limit the rows that a panel borrows to what leaves the editor its least."""
    return max(min(rows, screen - panel - max(LEAST_EDITOR, screen // 4)), 0)


@dataclass
class Loan:
    """Empty rows of the editor that the panel uses until the editor needs them.

    The editor is resized, so it always knows how many rows it has.
    """

    rows: int = 0  # how many are lent
    wanted: int = 0  # the rows that the panel could use
    check: int = 0  # the check whose verdict wants them
    refused: int = -1  # the check during which the editor needed its rows back

    def ask(self, wanted: int | None, check: int) -> None:
        """Note what the panel could use; None if that is as before."""
        self.check = check
        if wanted is not None:
            self.wanted = wanted

    @property
    def is_open(self) -> bool:
        """Return whether rows are lent or wanted."""
        return bool(self.rows or self.wanted)

    def step(self, panel: int, empty: int) -> int:
        """Return the new number of rows, given those of the panel and the editor's empty ones."""
        if self.wanted == 0:
            return 0
        if self.rows and empty == 0:
            self.refused = self.check
        if self.refused == self.check:
            return 0
        missing = self.wanted - panel
        return self.rows + (missing if missing < 0 else max(min(missing, empty - KEPT_EMPTY), 0))


@dataclass
class PanelLines:
    """The lines of the panel, and what of them is on the screen."""

    lines: list[str]
    painted: list[str] | None = None  # None if the screen may have lost them
    due: float | None = None  # since when there is something to paint
    update: ScreenUpdate | None = None
    is_focused: bool = False  # whether the panel has the keys

    def show(self, update: ScreenUpdate, now: float) -> None:
        """Replace the lines."""
        self.update = update
        rows = len(self.lines)
        lines = [update.focused if self.is_focused else update.status, *update.lines][:rows]
        self.lines = lines + [""] * (rows - len(lines))
        if self.lines != self.painted and self.due is None:
            self.due = now

    def focus(self, is_focused: bool, now: float) -> None:
        """Show the status line for who has the keys now."""
        self.is_focused = is_focused
        if self.update is not None:
            self.show(self.update, now)

    def invalidate(self, now: float) -> None:
        """Note that the screen may have lost the lines."""
        self.painted, self.due = None, now

    def resize(self, rows: int) -> None:
        """Cut the lines, or add empty ones."""
        self.lines = (self.lines + [""] * rows)[:rows]

    def take_changes(self) -> dict[int, str]:
        """Return the lines to paint by index, and count them as painted."""
        before: list[str] | list[None] = self.painted or [None] * len(self.lines)
        pairs = enumerate(zip(self.lines, before, strict=True))
        changes = {index: line for index, (line, old) in pairs if line != old}
        self.painted, self.due = list(self.lines), None
        return changes
