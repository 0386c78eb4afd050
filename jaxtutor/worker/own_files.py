"""Tells the learner's own files from those of Python and of installed libraries."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

MOST_FILES = 300
"""Files of the learner's that are reported: each is read and parsed for the diagnosis."""

LIBRARIES = frozenset(
    "jax jaxlib numpy scipy flax optax equinox haiku numpyro diffrax lineax optimistix blackjax"
    " orbax chex jaxopt jaxtyping brax distrax rlax tensorflow_probability torch tensorflow"
    " pytest _pytest pluggy absl click typer rich tqdm".split()
)
"""Libraries that count as installed wherever they lie, such as in a checkout of their developer."""

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def ownership(file: str | None = None) -> Callable[[str], bool]:
    """Return a predicate for the learner's files; `file` is one in any case.

    These are the program and all files that belong neither to Python nor to an installed library:
    those of the project, wherever they are imported from, and of packages that are installed in
    editable form. This package counts as a library: a checkout may lie below the script's folder.
    """
    names = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = tuple(
        os.path.realpath(path) + os.sep
        for path in (*names, site.getusersitepackages(), str(Path(__file__).parent.parent))
    )

    def is_own(name: str) -> bool:
        if name == file:
            return True
        if not name or name.startswith("<"):
            return False
        real = os.path.realpath(name)
        if real.startswith(folders) or any(part in real for part in _INSTALLED):
            return False
        return Path(real).is_file() and not real.startswith(tuple(_library_folders()))

    return is_own


def _library_folders() -> Iterator[str]:
    for name in LIBRARIES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if isinstance(file, str):
            yield os.path.realpath(Path(file).parent if file.endswith("__init__.py") else file)


def imported(is_own: Callable[[str], bool], first: str) -> tuple[str, ...]:
    """Return the program's file, then the learner's files that it has imported, sorted."""
    found = set()
    for module in list(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if isinstance(name, str) and name.endswith(".py") and name != first and is_own(name):
            found.add(name)
    return (first, *sorted(found)[: MOST_FILES - 1])
