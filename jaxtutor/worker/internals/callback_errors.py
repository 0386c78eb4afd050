"""Keeps the exception that a host callback raised: JAX passes on only its text."""

from __future__ import annotations

import logging

_LOGGERS = ("jax._src.callback", "jax._src.debugging")
"""The loggers to which JAX reports what a callback raised."""

_RUNTIME_ERRORS = ("JaxRuntimeError", "XlaRuntimeError")


class _LastError(logging.Filter):
    """Remembers the exception of the last record, and lets every record through."""

    error: BaseException | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        info = record.exc_info
        if isinstance(info, tuple) and info[1] is not None:
            self.error = info[1]
        return True


_LAST = _LastError()


def keep() -> None:
    """Remember what callbacks raise from now on."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_LAST)


def behind(error: BaseException) -> BaseException | None:
    """Return what a callback raised, of the exception of the runtime that passes on its text."""
    raised = _LAST.error
    if raised is None or type(error).__name__ not in _RUNTIME_ERRORS:
        return None
    text = str(error)
    is_of_callback = "callback" in text.lower() and "Traceback" in text
    return raised if is_of_callback and type(raised).__name__ in text else None
