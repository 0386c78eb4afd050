"""What stands for a fact that the installed version of JAX does not give."""

from __future__ import annotations

import os
from typing import TypeVar

STRICT = "JAXTUTOR_STRICT"
"""The variable under which `unknown` raises: a test that sets it notices when internals move."""

V = TypeVar("V")


def unknown(value: V) -> V:
    """Return what stands for a fact that this jax does not give; call it in an `except` block."""
    if STRICT in os.environ:
        raise  # noqa: PLE0704 - the exception that the caller is handling
    return value
