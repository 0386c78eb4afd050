"""Owns the names of Python's, JAX's and our own that a check relies on, as they were before it.

A submission can put something else in their place. What is measured then means nothing, and what
describes a failure may itself fail. So it is looked for, said, and undone.
"""

from __future__ import annotations

import builtins
import gc
import inspect
import linecache
import os
import sys
import time
from collections.abc import Mapping
from operator import is_
from types import ModuleType
from typing import Any

import jax
import numpy as np

_STANDARD = (builtins, gc, inspect, linecache, os, time)
_MODULES = "jax jax.lax jax.numpy jax.random jax.tree jax.tree_util numpy".split()
_FREE = frozenset({"linecache.cache"})  # Python binds it anew itself

_MISSING = object()
_all, _map, _setattr = all, map, setattr


class OriginalNames:
    """What a check relies on, kept. To look at it all takes a quarter of a millisecond."""

    def __init__(self) -> None:
        ours = [name for name in sys.modules if name.startswith("jaxtutor.")]
        known = [sys.modules[name] for name in (*_MODULES, *ours) if name in sys.modules]
        modules = {module.__name__: module for module in (*_STANDARD, *known)}
        array, tracer = type(jax.device_put(np.zeros(0))), jax.core.Tracer
        self._spaces = [(name, vars(module), _kept(module)) for name, module in modules.items()]
        classes = {"jax.Array": array, "jax.core.Tracer": tracer} | _classes(known)
        self._classes = [(name, cls, _kept(cls)) for name, cls in classes.items()]
        self._modules, self._loaded = sys.modules, modules

    def restore(self) -> tuple[str, ...]:
        """Put back what was replaced, and name it.

        Asks nothing of the builtins, which may be what was replaced, nor of what replaces them.
        """
        found: list[str] = []
        for home, space, kept in self._spaces:
            for name in _replaced(space, kept):
                if home + "." + name not in _FREE:
                    space[name] = kept[name]
                    found.append(home + "." + name)
        for home, cls, kept in self._classes:
            for name in _replaced(cls.__dict__, kept):
                _setattr(cls, name, kept[name])
                found.append(home + "." + name)
        for name in _replaced(self._modules, self._loaded):
            self._modules[name] = self._loaded[name]
            found.append("sys.modules['" + name + "']")
        return (*found,)


def _classes(modules: list[ModuleType]) -> dict[str, type]:
    """Return the classes of the worker's own, by name."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        if module.__name__.startswith("jaxtutor.worker.")
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    }


def _kept(owner: Any) -> dict[str, Any]:
    return dict(vars(owner))


def _replaced(space: Mapping[str, Any], kept: Mapping[str, Any]) -> list[str]:
    """Name what is no longer there; names that begin with one underscore are nobody else's."""
    if _all(_map(is_, _map(space.get, kept), kept.values())):
        return []
    return [
        name
        for name in kept
        if space.get(name, _MISSING) is not kept[name] and (name[:1] != "_" or name[:2] == "__")
    ]
