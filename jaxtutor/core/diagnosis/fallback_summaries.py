"""Summarises exceptions of Python that have no page."""

from __future__ import annotations

from jaxtutor.core.data.model import Failure

_SUMMARIES = {
    "SystemExit": "The program ended itself here, with `{message}`. A check needs it to go on.",
    "EOFError": "Something was to be typed here. Nobody can type while a file is being checked.",
    "ModuleNotFoundError": "{message}. It is not installed where jaxtutor runs.",
    "MemoryError": "It asked for more memory than it may have.",
    "RecursionError": "A function calls itself without end.",
    "KeyboardInterrupt": "It was interrupted here.",
}


def summarise(failure: Failure) -> str:
    """Say what happened, where no cause is known: often the message's first line."""
    lines = failure.message.strip().splitlines()
    message = lines[0] if lines else ""
    words = _SUMMARIES.get(failure.error_class)
    if words is None:
        return message or f"It raised {failure.error_class} here, and gave no message."
    return words.format(message=message or "no status")
