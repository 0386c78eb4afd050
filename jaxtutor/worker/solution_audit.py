"""Owns the eye on the lesson's solution: who opens it while a check runs is told of.

Not a wall: another process may open it, and so may C. It is there so that nobody passes by it
unawares.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_SOLUTION = "solution.py"

_is, _text = isinstance, (str, bytes)
_fsdecode, _realpath, _split = os.fsdecode, os.path.realpath, os.path.split


class SolutionAudit:
    """Notes whether the solution of one lesson was opened; from its making to the process's end."""

    def __init__(self, lesson_dir: str) -> None:
        self.seen = False
        self._folder = os.path.realpath(lesson_dir)
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Look at what is opened; hears of everything else too, so it is quick about that."""
        if event != "open" or self.seen:
            return
        name = args[0]
        if _is(name, _text):
            folder, file = _split(_fsdecode(name))
            self.seen = file == _SOLUTION and _realpath(folder) == self._folder
