"""Summarises exceptions that have no cause, and chooses the part of a message to show."""

from __future__ import annotations

import re

from msgspec import Struct

from jaxtutor.core.data.failures import Failure

MOST_LINES = 8
"""Lines of a message that are shown; a structure mismatch can fill several screens."""
MOST_WHOLE_LINES = 80
"""The same where the whole message is shown: on a screen that nothing else has to fit on."""
LEADING_PARAGRAPHS = 2
"""Paragraphs that are always shown: JAX often puts the shapes and names in the second."""

SUMMARIES = {
    "SystemExit": "The program exits here, with `{message}`, before the check is complete.",
    "EOFError": "The program tried to read input. Input is not available during a check.",
    "ModuleNotFoundError": "{message}. It is not installed where jaxtutor runs.",
    "MemoryError": "The program needs more memory than the limit.",
    "RecursionError": "A function calls itself without an end.",
    "KeyboardInterrupt": "The program was interrupted here.",
}
_SUGGESTS = re.compile(
    r"\b(?:[Yy]ou probably|[Pp]erhaps|[Cc]onsider|[Dd]id you mean|[Tt]ry\b|[Pp]lease|instead\b"
    r"|[Rr]evise|[Cc]heck if|[Yy]ou (?:can|could|may|might)\b|[Mm]ake sure)"
)
# The last line of a traceback that a message holds, as one of a callback does.
_RAISED = re.compile(
    r"^(?:[\w.]+\.)?\w+(?:Error|Exception|Warning|Interrupt)(?:: .*)?$", re.MULTILINE
)


_BEFORE_FRAMES = ("Traceback (most recent call last):", "Below is the stack inside of JIT:")
_FRAMES = re.compile(r"Traceback \(most recent call last\):\n(?: .*\n)+")
"""The frames of such a traceback: the learner's are shown as code, and the rest are JAX's."""


_RULE = re.compile(r"^-{10,}$", re.MULTILINE)


class Excerpt(Struct, frozen=True):
    """The lines of a message that are shown, and how many are left out."""

    lines: tuple[str, ...]
    left: int


def summarise(failure: Failure) -> str:
    """Say what happened, where no cause is known: often in the message's own words."""
    words = SUMMARIES.get(failure.error_class)
    has_frames = any(said in failure.message for said in _BEFORE_FRAMES)
    raised = list(_RAISED.finditer(failure.message)) if has_frames else []
    if raised:
        return "\n".join(excerpt(_without_notes(failure.message[raised[-1].start() :])).lines)
    if failure.error_class == "KeyError" and "\n" not in failure.message:
        return f"The key `{failure.message}` is missing."
    if words is None:
        shown = "\n".join(excerpt(failure.message).lines)
        return shown or f"It raised {failure.error_class} here, and gave no message."
    lines = failure.message.strip().splitlines()
    return words.format(message=lines[0] if lines else "no status")


def _without_notes(message: str) -> str:
    """Cut what a library prints below a message of its own, between two rules."""
    return _RULE.split(message, maxsplit=1)[0]


def excerpt(message: str, whole: bool = False) -> Excerpt:
    """Choose the lines of a message to show: two paragraphs, and those that suggest a way out.

    With `whole`, all paragraphs are shown, up to a longer limit. Without, a traceback in a message
    is shown as its last line.
    A paragraph that follows a colon is what the colon announces, so it is shown as well. Of a
    message that is too long the last line shown does not end in a colon.
    """
    text = message.strip() if whole else _FRAMES.sub("", message.strip())
    paragraphs = [part.strip("\n") for part in text.split("\n\n")]
    chosen = [part for n, part in enumerate(paragraphs) if whole or _is_shown(paragraphs, n)]
    lines = [line.rstrip() for part in chosen for line in part.split("\n") if line.strip()]
    shown = lines[: MOST_WHOLE_LINES if whole else MOST_LINES]
    while len(shown) > 1 and shown[-1].endswith(":"):
        shown.pop()
    return Excerpt(tuple(shown), len(lines) - len(shown))


def _is_shown(paragraphs: list[str], index: int) -> bool:
    if index < LEADING_PARAGRAPHS or paragraphs[index - 1].endswith(":"):
        return True
    return _SUGGESTS.search(paragraphs[index]) is not None
