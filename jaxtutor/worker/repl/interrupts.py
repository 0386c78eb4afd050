"""Handles Ctrl-C in the worker: it interrupts the learner's cell, never the worker itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """Turns SIGINT into KeyboardInterrupt while a cell runs, and ignores it otherwise."""

    def __init__(self) -> None:
        self._is_armed = False

    def install(self) -> None:
        """Install the handler, also after a cell has replaced it."""
        signal.signal(signal.SIGINT, self._handle)

    def _handle(self, *_: object) -> None:
        if self._is_armed:
            self._is_armed = False  # only once: the code that follows cleans up
            raise KeyboardInterrupt

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Let SIGINT interrupt the block."""
        self._is_armed = True
        try:
            yield
        finally:
            self._is_armed = False
