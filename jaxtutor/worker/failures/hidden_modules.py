"""Finds the learner's files that are imported in the place of a module of Python or a library."""

from __future__ import annotations

import os
import sys
import sysconfig
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path

MOST = 4
_INSTALLED = tuple(
    os.path.realpath(sysconfig.get_path(name)) + os.sep
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_NOT_THEIRS = ("__main__", __name__.partition(".")[0])
"""The program, and this package, which may run from another folder than where it is installed."""


def behind(error: BaseException) -> tuple[str, ...]:
    """Return the files that hide a module of their name, if an import or a lookup failed."""
    if not issubclass(type(error), (ImportError, AttributeError)):  # `__class__` may be anything
        return ()
    found: list[str] = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if "." in name or name in _NOT_THEIRS or type(file) is not str:
            continue
        with suppress(Exception):  # a finder of the learner's may do anything
            if not os.path.realpath(file).startswith(_INSTALLED) and _is_hidden(name, file):
                found.append(file)
    return tuple(sorted(found)[:MOST])


def _is_hidden(name: str, file: str) -> bool:
    """Return whether the name of a file is that of a module of Python, or of one elsewhere."""
    if name in sys.stdlib_module_names:
        return True
    path = Path(file)
    folder = (path.parent if path.name == "__init__.py" else path).parent
    others = [it for it in sys.path if os.path.realpath(it) != os.path.realpath(folder)]
    spec = PathFinder.find_spec(name, others)
    return spec is not None and spec.origin is not None
