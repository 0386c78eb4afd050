"""Detects when a submission opens a file of its lesson's folder other than the checks.

Python reports what it opens, links and starts to an audit hook. This is not a wall: what C code
opens, and what a process that was started opens, is not reported. It is there so that nobody
passes by reading the solution without noticing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

_CHECKS = "checks.py"

_is, _text, _words = isinstance, (str, bytes, os.PathLike), (str, bytes)
_fsdecode, _realpath, _isabs, _join = os.fsdecode, os.path.realpath, os.path.isabs, os.path.join
_iter, _sequences = iter, (list, tuple)

OPENING = frozenset(
    "open os.link os.rename os.symlink shutil.copyfile shutil.copytree sqlite3.connect "
    "ctypes.dlopen".split()
)
"""Events whose first argument is a path that is about to be read or linked."""

STARTING = frozenset("subprocess.Popen os.posix_spawn os.exec os.spawn os.system".split())
"""Events whose arguments are a program and its arguments."""


class SolutionAudit:
    """Records whether files of a lesson were opened, from its creation to the process's end."""

    def __init__(self, lesson_dir: str, own_file: str = "") -> None:
        self.seen = False
        self._folder = _realpath(lesson_dir)
        self._inside = self._folder + os.sep
        self._above = tuple(_above(self._folder))
        self._allowed = {_join(self._folder, _CHECKS)}
        self._allowed |= {_realpath(own_file)} if own_file else set()
        # Folders that were opened: a later path may be relative to their descriptors, which the
        # events do not name.
        self._opened: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Examine one event; it is called for every event, so it returns quickly for others."""
        if self.seen:
            return
        if event in OPENING:
            name = args[0]
            if _is(name, _text):
                self._look(_fsdecode(name))
        elif event in STARTING:
            self.seen = _shows_solution(args)
            for word in _texts(args):
                if self._inside in word and word not in self._allowed:
                    self.seen = True
                elif "/" in word:
                    self._look(word, is_opened=False)

    def _look(self, name: str, is_opened: bool = True) -> None:
        """Examine a path, which may be relative to a folder that was opened before."""
        try:
            path = _realpath(name)
        except (OSError, ValueError):  # not a path that anything can be opened by
            return
        if path in self._above and path not in self._opened:
            self._opened.append(path)
            if path != self._folder:
                return
        self.seen = self.seen or self._is_inside(path)
        if is_opened and not _isabs(name):
            for folder in self._opened:
                self.seen = self.seen or self._is_inside(_realpath(_join(folder, name)))

    def _is_inside(self, path: str) -> bool:
        if path == self._folder:
            return True
        return path.startswith(self._inside) and path not in self._allowed


def _above(folder: str) -> Iterator[str]:
    """Yield a folder and those that it lies in."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:  # noqa: PTH120
        yield parent
        folder = parent


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts among an event's arguments."""
    if _is(value, _words) or _is(value, os.PathLike):
        yield _fsdecode(value)
    elif _is(value, _sequences):
        for each in _iter(value):
            yield from _texts(each)


def _shows_solution(args: tuple[Any, ...]) -> bool:
    """Return whether a command is `jaxtutor solution`, in whatever way it is spelled."""
    command = " ".join(_texts(args))
    return "jaxtutor" in command and "solution" in command
