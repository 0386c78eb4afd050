"""Describes an exception where the program has not imported jax, or could not."""

from __future__ import annotations

from collections.abc import Callable

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions

MOST_LINKS = 4
MESSAGE_CAP = 4_000
MOST_FRAMES = 40


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
    )


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
