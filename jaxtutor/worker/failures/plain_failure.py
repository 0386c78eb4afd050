"""Describes an exception where the program has not imported jax, or could not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.failures import hidden_modules

MOST_LINKS = 4
MESSAGE_CAP = 4_000
MOST_FRAMES = 40

_PACKAGE = re.escape(str(Path(__file__).parents[2]) + os.sep)
_OWN_FRAMES = re.compile(rf'^ +File "{_PACKAGE}[^"\n]*", line \d+.*\n(?: {{4}}.*\n)*', re.MULTILINE)
"""Frames of this package in the text of a traceback: as the program would not have them."""


def describe(
    error: BaseException, is_own: Callable[[str], bool], links: int = MOST_LINKS
) -> Failure:
    """Describe an exception by its class, its message and the learner's frames."""
    linked = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return Failure(
        error_class=type(error).__name__,
        bases=tuple(base.__name__ for base in type(error).__mro__),
        message=_message(error),
        frames=tuple(_frames(error, is_own)[-MOST_FRAMES:]),
        module=str(type(error).__module__),
        linked=describe(linked, is_own, links - 1) if linked is not None and links else None,
        hiding=hidden_modules.behind(error),
    )


def without_own_frames(text: str) -> str:
    """Drop the frames of this package from a text, such as what JAX says of a callback."""
    return _OWN_FRAMES.sub("", text) if "Traceback" in text else text


def _message(error: BaseException) -> str:
    try:
        return str(error)[:MESSAGE_CAP]
    except BaseException as failed:  # the learner's __str__ may do anything
        return f"(its message could not be written: {type(failed).__name__})"


def _frames(error: BaseException, is_own: Callable[[str], bool]) -> list[Frame]:
    found = []
    level = error.__traceback__
    while level is not None:
        code = level.tb_frame.f_code
        if is_own(code.co_filename):
            span = positions.span_at(code, level.tb_lasti)
            span = span or positions.whole_line(code.co_filename, level.tb_lineno)
            found.append(Frame(code.co_filename, code.co_name, span))
        level = level.tb_next
    return found
