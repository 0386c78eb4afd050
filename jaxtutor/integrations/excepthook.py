"""Prints a diagnosis below the traceback of an uncaught exception, after `jaxtutor.install()`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


class DiagnosingHook:
    """Calls the hook that was there before, which prints the traceback, then prints a diagnosis."""

    def __init__(self, before: Hook) -> None:
        self.before = before

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Handle an uncaught exception, as `sys.excepthook`."""
        self.before(kind, error, trace)
        # Importing JAX takes half a second; without it the error is not one of JAX's.
        if isinstance(error, Exception) and "jax" in sys.modules:
            # At this point nothing may hide the traceback, nor change the exit status.
            with suppress(Exception):
                _print(error)


def install() -> None:
    """Diagnose uncaught exceptions from now on. Calling it again changes nothing."""
    if not isinstance(sys.excepthook, DiagnosingHook):
        sys.excepthook = DiagnosingHook(sys.excepthook)


def uninstall() -> None:
    """Put the earlier hook back, unless another hook was installed on top of this one."""
    if isinstance(sys.excepthook, DiagnosingHook):
        sys.excepthook = sys.excepthook.before


def _print(error: Exception) -> None:
    from jaxtutor.diagnosis import diagnose

    found = diagnose(error)
    if found is not None and found.says_more:
        sys.stderr.write(f"\n{found.text()}\n")
