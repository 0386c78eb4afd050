"""Detects files on PYTHONPATH that hide modules of the standard library."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def find_shadowed() -> str:
    """Return the first file on PYTHONPATH that hides a standard module; empty if there is none."""
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


def explain_import_error(error: BaseException) -> tuple[str, str]:
    """Explain why a module cannot be imported, and what to do."""
    reason = f"{type(error).__name__}: {error}".rstrip(".")
    if found := find_shadowed():
        return (
            f"{found} hides the standard module of that name: {reason}.",
            "Rename it, or run without it: env -u PYTHONPATH jaxtutor",
        )
    return (
        f"jaxtutor cannot start: {reason}.",
        "Reinstall jaxtutor, or set JAXTUTOR_DEBUG=1 for a traceback.",
    )
