"""Owns Ctrl-C in the worker: it stops the learner's cell, and never what is ours around it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """Turns SIGINT into KeyboardInterrupt while a cell runs; at other times it is passed over."""

    def __init__(self) -> None:
        self._is_armed = False

    def install(self) -> None:
        """Take the signal, also back from a cell that took it."""
        signal.signal(signal.SIGINT, self._handle)

    def _handle(self, *_: object) -> None:
        if self._is_armed:
            self._is_armed = False  # once is enough: what follows tidies up
            raise KeyboardInterrupt

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Let the signal through."""
        self._is_armed = True
        try:
            yield
        finally:
            self._is_armed = False
