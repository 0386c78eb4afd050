"""Tracebacks with the frames that JAX removes from them, and the names of its exceptions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from jaxtutor.worker.internals.moved import unknown

TRACEBACK_FILTER = "jax._src.traceback_util."
"""Where the frames that JAX adds to every traceback come from."""

_UNFILTERED = "__jaxtutor_unfiltered__"
"""The attribute of an exception that holds what JAX removed from its traceback."""


class _Removed:
    """What JAX removed from the traceback of an exception; pickled with the exception as None.

    `parts` has the whole traceback for the beginning of each filtered one, and `rest` the one of
    which nothing was left. It lives as long as the exception, so it keeps nothing else alive.
    """

    def __init__(self) -> None:
        self.parts: dict[int, tuple[TracebackType, TracebackType]] = {}
        self.rest: TracebackType | None = None

    def add(self, filtered: TracebackType | None, whole: TracebackType) -> None:
        """Remember one filtered traceback."""
        if filtered is None:
            self.rest = whole
        else:
            self.parts[id(filtered)] = (filtered, whole)

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(None), ()


def _dict_of(error: BaseException) -> dict[str, Any]:
    """Return an exception's attributes without running code of its class."""
    found: dict[str, Any] = BaseException.__dict__["__dict__"].__get__(error)
    return found


def _traceback_of(error: BaseException) -> TracebackType | None:
    found: TracebackType | None = BaseException.__dict__["__traceback__"].__get__(error)
    return found


def keep_unfiltered() -> bool:
    """Remember the frames that JAX removes from tracebacks, without changing its setting.

    Return False if this version of JAX does not allow it.
    """
    try:
        from jax._src import traceback_util

        internals: Any = traceback_util
        original = internals.filter_traceback
        if getattr(original, _UNFILTERED, False):
            return True
    except (ImportError, AttributeError):  # internals moved
        return unknown(False)

    def filter_traceback(whole: Any) -> Any:
        filtered = original(whole)
        error = sys.exc_info()[1]
        if error is not None and _traceback_of(error) is whole:
            _dict_of(error).setdefault(_UNFILTERED, _Removed()).add(filtered, whole)
        return filtered

    setattr(filter_traceback, _UNFILTERED, True)
    internals.filter_traceback = filter_traceback
    return True


def keeps_unfiltered() -> bool:
    """Return whether `keep_unfiltered` is in force."""
    try:
        from jax._src import traceback_util

        return bool(getattr(traceback_util.filter_traceback, _UNFILTERED, False))
    except (ImportError, AttributeError):  # internals moved
        return unknown(False)


def unfiltered(error: BaseException) -> Iterator[TracebackType]:
    """Yield the levels of a traceback, with those that JAX removed from it."""
    found = _dict_of(error).get(_UNFILTERED)
    removed = found if isinstance(found, _Removed) else _Removed()
    level = _traceback_of(error)
    while level is not None:
        level = removed.parts.get(id(level), (level, level))[1]
        yield level
        level = level.tb_next
    level = removed.rest
    while level is not None:
        yield level
        level = level.tb_next


def public_module(name: str) -> str:
    """Return the public name of a module of JAX that defines exceptions."""
    return name.replace("jax._src.errors", "jax.errors")
