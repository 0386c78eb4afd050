"""Detects and undoes what a submission replaces of Python, JAX and jaxtutor during a check.

What is measured with a replaced function means nothing, and what describes a failure may itself
fail. Names are compared with the objects that they had before the submission ran, and the
functions of jaxtutor also with their code and defaults. A submission runs in this process, so
one that looks for what is kept here can change that as well: see docs/grading-trust.md.
"""

from __future__ import annotations

import builtins
import gc
import inspect
import linecache
import os
import sys
import time
from collections.abc import Iterator, Mapping
from operator import attrgetter, is_
from types import FunctionType, ModuleType
from typing import Any

import jax
import numpy as np

_STANDARD = (builtins, gc, inspect, linecache, os, time)
_MODULES = "jax jax.lax jax.numpy jax.random jax.tree jax.tree_util numpy".split()
_FREE = frozenset({"linecache.cache"})  # Python itself binds it again
_OURS = "jaxtutor."
_PARTS = {name: attrgetter(name) for name in ("__code__", "__defaults__", "__kwdefaults__")}
"""What of a function decides what it does and can be changed without replacing the function."""

_MISSING = object()
_all, _map, _setattr, _zip = all, map, setattr, zip


class OriginalNames:
    """What a check relies on, as it was before. Comparing it takes about a millisecond."""

    def __init__(self) -> None:
        ours = [name for name in sys.modules if name.startswith("jaxtutor.")]
        known = [sys.modules[name] for name in (*_MODULES, *ours) if name in sys.modules]
        modules = {module.__name__: module for module in (*_STANDARD, *known)}
        array, tracer = type(jax.device_put(np.zeros(0))), jax.core.Tracer
        self._spaces = [(name, vars(module), _kept(module)) for name, module in modules.items()]
        classes = {"jax.Array": array, "jax.core.Tracer": tracer} | _classes(known)
        self._classes = [(name, cls, _kept(cls)) for name, cls in classes.items()]
        self._modules, self._loaded = sys.modules, modules
        functions = dict((*_functions(self._spaces), *_functions(self._classes)))
        self._names, self._functions = [*functions], [*functions.values()]
        self._parts = [(part, get, [*map(get, self._functions)]) for part, get in _PARTS.items()]
        self._objects: list[tuple[str, Any, dict[str, Any]]] = []

    def guard(self, name: str, owner: object) -> None:
        """Include the present attributes of an object."""
        self._objects.append((name, vars(owner), _kept(owner)))

    def restore(self) -> tuple[str, ...]:
        """Restore what was replaced, and return its names.

        Uses neither the builtins, which may have been replaced, nor what replaces something.
        """
        found: list[str] = []
        for home, space, kept in self._spaces:
            for name in _replaced(space, kept, home):
                if home + "." + name not in _FREE:
                    space[name] = kept[name]
                    found.append(home + "." + name)
        for home, cls, kept in self._classes:
            for name in _replaced(cls.__dict__, kept, home):
                _setattr(cls, name, kept[name])
                found.append(home + "." + name)
        for name in _replaced(self._modules, self._loaded, "sys.modules"):
            self._modules[name] = self._loaded[name]
            found.append("sys.modules['" + name + "']")
        for home, space, kept in self._objects:
            for name in _replaced(space, kept, home):
                space[name] = kept[name]
                found.append(home + "." + name)
        self._restore_functions(found)
        return (*found,)

    def _restore_functions(self, found: list[str]) -> None:
        for part, get, kept_parts in self._parts:
            if not _all(_map(is_, _map(get, self._functions), kept_parts)):
                for name, function, kept_part in _zip(self._names, self._functions, kept_parts):
                    if get(function) is not kept_part:
                        _setattr(function, part, kept_part)
                        found.append(name)


def _classes(modules: list[ModuleType]) -> dict[str, type]:
    """Return the worker's own classes, by name."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        if module.__name__.startswith("jaxtutor.worker.")
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    }


def _kept(owner: Any) -> dict[str, Any]:
    return dict(vars(owner))


def _functions(
    spaces: list[tuple[str, Any, dict[str, Any]]],
) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of jaxtutor's own modules and classes, with their names."""
    for home, _, kept in spaces:
        for name, value in kept.items():
            plain = getattr(value, "__func__", value)  # of a static or a class method
            plain = getattr(plain, "fget", plain)  # of a property
            if isinstance(plain, FunctionType) and plain.__module__.startswith(_OURS):
                yield f"{home}.{name}", plain


def _replaced(space: Mapping[str, Any], kept: Mapping[str, Any], home: str) -> list[str]:
    """Return the names whose objects have changed.

    Names that begin with one underscore are private to their module, and other packages bind
    theirs again.
    """
    if _all(_map(is_, _map(space.get, kept), kept.values())):
        return []
    return [
        name
        for name in kept
        if space.get(name, _MISSING) is not kept[name]
        and (name[:1] != "_" or name[:2] == "__" or home[:9] == _OURS)
    ]
