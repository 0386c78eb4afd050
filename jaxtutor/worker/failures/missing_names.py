"""Finds what a module has in the place of a name that it lacks, and which version it is."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from importlib import metadata
from types import ModuleType

from jaxtutor.core.data.failures import MissingName

MOST = 3
_CLOSE = 0.7
"""How much alike two names have to be, as difflib measures it."""


def of_exception(exc: BaseException, is_own: Callable[[str], bool]) -> MissingName | None:
    """Return the name of a library's module that an exception says is missing."""
    module: object = None
    name: object = None
    if type(exc) is AttributeError:
        module, name = exc.obj, exc.name
    elif type(exc) is ImportError:
        module, name = sys.modules.get(exc.name or ""), getattr(exc, "name_from", None)
    if type(module) is not ModuleType or type(name) is not str:
        return None
    file = vars(module).get("__file__")
    if type(file) is not str or is_own(file):
        return None
    names = [known for known in vars(module) if type(known) is str and not known.startswith("_")]
    close = difflib.get_close_matches(name, names, MOST, _CLOSE)
    return MissingName(module.__name__, name, _version(module.__name__), tuple(close))


def _version(module: str) -> str:
    """Return the version of the distribution that a module belongs to; empty if not known."""
    try:
        return metadata.version(module.partition(".")[0])
    except Exception:  # it is not installed under this name
        return ""
