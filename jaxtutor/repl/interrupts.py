"""What Ctrl-C does in the prompt's process, outside the line that is being edited."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


@contextmanager
def handled_by(handler: Handler) -> Iterator[None]:
    """Handle Ctrl-C by `handler` in the block."""
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ignore(*_: object) -> None:
    """Do nothing: between two entries there is nothing to stop, and the prompt goes on."""
