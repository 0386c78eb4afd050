"""Calls functions when the learner's program has imported a module, such as jax.

The program imports the module itself, at the moment it chooses and with the environment that it has
prepared. Afterwards the module's loader and spec are as they would be without the hook.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

Callback = Callable[[ModuleType], None]


class ImportHooks(MetaPathFinder):
    """Finds nothing itself; calls one function for each named module after its first import."""

    def __init__(self, callbacks: Mapping[str, Callback]) -> None:
        self._waiting = dict(callbacks)

    def install(self) -> None:
        """Start watching imports; call the functions of modules that are imported already."""
        for name in [name for name in self._waiting if name in sys.modules]:
            self._waiting.pop(name)(sys.modules[name])
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Stop watching imports."""
        with contextlib.suppress(ValueError):  # the program may have replaced the list
            sys.meta_path.remove(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec that the other finders give, with a loader that calls the function."""
        if name not in self._waiting:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if finder is not self and find is not None else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _CallingLoader(spec.loader, self._loaded)
                return spec  # type: ignore[no-any-return]
        return None

    def _loaded(self, module: ModuleType) -> None:
        callback = self._waiting.pop(module.__name__, None)
        if callback is not None:
            callback(module)


class _CallingLoader(Loader):
    """Loads a module with its own loader, then calls a function with it."""

    def __init__(self, loader: Loader, callback: Callback) -> None:
        self._loader = loader
        self._callback = callback

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then call the function."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._callback(module)
