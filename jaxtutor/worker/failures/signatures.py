"""Reads the parameters of a function whose call raised because it refused an argument."""

from __future__ import annotations

import inspect
import re

import jax.numpy as jnp

MOST = 40
"""Parameters that are reported; the longest signatures of JAX have about twenty."""

_REFUSAL = re.compile(r"unexpected keyword argument|positional arguments? but|multiple values for")


def is_refusal(exc: BaseException, message: str) -> bool:
    """Return whether Python raised because a call does not fit the function's signature."""
    return type(exc) is TypeError and _REFUSAL.search(message) is not None


def of_function(value: object) -> tuple[str, ...]:
    """List the parameters of a function or class, with `*` before those passed by keyword only.

    Empty if they are not known. `**name` comes last if the function accepts any keyword.
    """
    if isinstance(value, classmethod | staticmethod):  # as it stands in its class
        return of_function(value.__func__)[isinstance(value, classmethod) :]
    try:
        parameters = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except Exception:  # a builtin has none, and an object of the learner's may do anything
        return ()
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            names.append(f"**{parameter.name}")
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            names.append(f"*{parameter.name}")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not any(n[0] == "*" for n in names):
            names.append("*")
        names.append(parameter.name)
    return tuple(names[:MOST])


def of_method(name: str) -> tuple[str, ...]:
    """List the parameters of an array's method: those of the function of that name, less one."""
    return of_function(getattr(jnp, name, None))[1:]
