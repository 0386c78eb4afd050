"""Keeps a rule that raises from ending the diagnosis: the other rules are still asked."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Answer = TypeVar("Answer")


class RuleWarning(UserWarning):
    """A rule of the diagnosis raised. The tests treat it as an error."""


def guarded(slug: str, ask: Callable[[], Answer | None]) -> Answer | None:
    """Return the answer of a rule; None, with a warning, if it raises.

    Code that is nested more deeply than it can be walked is no fault of the rule.
    """
    try:
        return ask()
    except RecursionError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever it is, it costs this answer only
        _warn(slug, error)
        return None


def guarded_each(slug: str, ask: Callable[[], Iterable[Answer]]) -> Iterator[Answer]:
    """Yield the answers of a rule until it raises, which is a warning."""
    try:
        yield from ask()
    except RecursionError:
        return
    except Exception as error:  # noqa: BLE001 - as in `guarded`
        _warn(slug, error)


def _warn(slug: str, error: Exception) -> None:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}" if at is not None else "?"
    message = f"The rule of {slug} raised {type(error).__name__} at {place}: {error}"
    warnings.warn(message, RuleWarning, stacklevel=3)
