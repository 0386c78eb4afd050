"""Owns the finding of files of the learner's that stand before Python's own of the same name."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def find_shadowed() -> str:
    """Name the first file on PYTHONPATH that hides one of Python's own; none is empty."""
    for folder in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        try:
            is_pythons_own = Path(folder).samefile(Path(os.__file__).parent)
            paths = [] if is_pythons_own else sorted(Path(folder).iterdir())
        except OSError:
            continue
        for path in paths:
            if path.stem in sys.stdlib_module_names and _is_module(path):
                return str(path)
    return ""


def _is_module(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").exists()


def say_why(error: BaseException) -> tuple[str, str]:
    """Say why what should be there cannot be loaded, and what to do."""
    told = f"{type(error).__name__}: {error}".rstrip(".")
    if found := find_shadowed():
        return (
            f"{found} stands before Python's own of that name: {told}.",
            "Rename it, or start without it: env -u PYTHONPATH jaxtutor",
        )
    return (
        f"It cannot go on: {told}.",
        "Install jaxtutor anew, or set JAXTUTOR_DEBUG=1 to see more.",
    )
