"""Shows that a command is still working: what it does and for how long, on standard error."""

from __future__ import annotations

import threading
import time
from typing import TextIO

from jaxtutor.display.theme import visible

DELAY = 1.0
"""Seconds. Shorter work needs no explanation, and a line that appears and disappears distracts."""
STEP = 1.0
"""Seconds between two updates of the running time."""


class Waiting:
    """A context manager that writes a line after `DELAY` seconds and erases it at the end.

    Where a line cannot be erased, it is written once, and only if `lasting` is set. Nothing else
    may write to the terminal meanwhile.
    """

    def __init__(self, message: str, stream: TextIO, erasable: bool, lasting: bool = False) -> None:
        self._message = visible(message)
        self._stream = stream
        self._erasable = erasable
        self._lasting = lasting
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        if self._erasable or self._lasting:
            self._thread = threading.Thread(target=self._run, name="waiting", daemon=True)
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        started = time.monotonic()
        if self._done.wait(DELAY):
            return
        if not self._erasable:
            self._write(f"{self._message}.\n")
            return
        while True:
            self._write(f"\r{self._message}: {time.monotonic() - started:.0f} s \x1b[K")
            if self._done.wait(STEP):
                self._write("\r\x1b[K")
                return

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # closed; the result still has to be printed
            self._done.set()
