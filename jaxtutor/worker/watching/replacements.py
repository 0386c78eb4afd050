"""Replaces functions while a run is observed, and restores them afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class Replacements:
    """What has to be undone at the end of a run, in order."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replace a function of a module or class, if there is one, by what `make` returns."""
        original = getattr(owner, name, None)
        if original is None:
            return
        setattr(owner, name, make(original))
        self._undo.append(lambda: setattr(owner, name, original))

    def add(self, undo: Callable[[], None]) -> None:
        """Call a function at the end too."""
        self._undo.append(undo)

    def undo(self) -> None:
        """Undo everything, the latest first."""
        while self._undo:
            self._undo.pop()()


def caller() -> FrameType | None:
    """Return the frame that called the function that calls this; None if Python itself did."""
    try:
        return sys._getframe(2)
    except ValueError:  # an exit hook, for instance
        return None
