"""Reads which name a module lacks from the messages of Python."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.engine.context import FailureContext

_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
MODULE = re.compile(r"No module named '([\w.]+)'")


def missing_name(context: FailureContext) -> tuple[str, str] | None:
    """Return the module and the name that it does not have."""
    message = context.message
    if found := _ATTRIBUTE.search(message):
        return found[1], found[2]
    if found := _IMPORT.search(message):
        return found[2], found[1]
    if found := MODULE.search(message):
        home, _, name = found[1].rpartition(".")
        return home, name
    return None
