"""Finds which packages of a lesson are missing or too old, by their metadata, without importing."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

from jaxtutor.errors import TutorError

LIBRARIES = (
    "diffrax>=0.7.2",
    "dm-haiku>=0.0.17",
    "equinox>=0.13.8",
    "flax>=0.12.8",
    "grain>=0.2.18",
    "numpyro>=0.22",
    "optax>=0.2.8",
    "orbax-checkpoint>=0.12.8",
)
"""The requirements of the extra `libraries`."""

INSTALL_LIBRARIES = "pip install 'jaxtutor[libraries]'"

_METADATA = ".dist-info"
_INSTALLED_WITH_JAX = frozenset(("jax", "jaxlib", "numpy", "scipy"))


class MissingPackages(TutorError):
    """Packages that a lesson needs are missing or too old."""


def name_of(requirement: str) -> str:
    """Return the package of a requirement such as `optax>=0.2.8`."""
    return requirement.partition(">=")[0]


@cache
def installed_version(name: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    for folder in sys.path:
        if found := _listed_versions(folder).get(_normalized(name)):
            return found
    from importlib.metadata import PackageNotFoundError, version  # takes 25 ms

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def _listed_versions(folder: str) -> dict[str, str]:
    """Read the versions of a folder's packages from the names of their `*.dist-info` folders."""
    with suppress(OSError), os.scandir(folder) as entries:
        stems = [it.name.removesuffix(_METADATA) for it in entries if it.name.endswith(_METADATA)]
        return {_normalized(it.partition("-")[0]): it.partition("-")[2] for it in stems}
    return {}


def _normalized(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def find_missing(requirements: Iterable[str]) -> tuple[str, ...]:
    """Return the requirements that no installed package meets."""
    return tuple(it for it in requirements if not is_met(it))


def brief(missing: Iterable[str]) -> str:
    """Return the names of missing packages; of those that are too old, the requirements."""
    return ", ".join(it if installed_version(name_of(it)) else name_of(it) for it in missing)


def is_met(requirement: str) -> bool:
    """Return whether the package is installed in a version that is new enough."""
    from jaxtutor.core.reporting.health import meets

    found = installed_version(name_of(requirement))
    return bool(found) and meets(found, requirement)


def refuse_missing(slug: str, missing: tuple[str, ...]) -> None:
    """Raise MissingPackages if any package is missing, with the command that installs all."""
    if missing:
        raise MissingPackages(
            f"The lesson {slug} needs {describe_missing(missing)}.",
            f"Install what is missing: {install_command(missing)}",
        )


def describe_missing(missing: Iterable[str]) -> str:
    """Return the requirements, each with what is installed in its place."""
    return ", ".join(map(_describe, missing))


def _describe(requirement: str) -> str:
    found = installed_version(name_of(requirement))
    return f"{requirement} ({f'version {found} is' if found else 'not'} installed)"


def install_command(missing: Iterable[str]) -> str:
    """Return the command that installs these packages: by the extra, if it holds them all."""
    missing = tuple(missing)
    if {name_of(it) for it in missing} <= {name_of(it) for it in LIBRARIES}:
        return INSTALL_LIBRARIES
    quoted = (f"'{it}'" for it in missing)
    return f"pip install {' '.join(quoted)}"


def library_imports(source: str) -> tuple[str, ...]:
    """Return a program's import statements of libraries, apart from those that jax brings."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    known = sys.stdlib_module_names | _INSTALLED_WITH_JAX
    return tuple(
        ast.unparse(node)
        for node in body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and all(name.partition(".")[0] not in known for name in _modules(node))
    )


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names]
