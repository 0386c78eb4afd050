"""Keeps what a compiled function read in addition to its arguments, to notice later changes.

Arrays are kept by weak references, so that observing a run does not keep old parameters alive.
"""

from __future__ import annotations

import functools
import weakref
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import (
    ChangedValue,
    MutatedBound,
    MutatedStatic,
    StaleAttribute,
    StaleGlobal,
    StaleItem,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import leaks
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import is_tracer

MOST_LEAVES = 500  # of one tree
MOST_ITEMS = 1_000  # of a container that is searched for arrays
MOST_BYTES = 1 << 16  # of an array in a closure that is kept alive
MOST_WRAPPERS = 6  # around the learner's function

_PLAIN = (int, float, complex, bool, str)
_SETTINGS = (Namespace, SimpleNamespace)
_ARRAYS = (np.ndarray, jax.Array)


class ValueSnapshot:
    """Earlier values of names, and the namespace that holds the current ones."""

    def __init__(
        self, kind: type[ChangedValue], frame: Frame, space: Any, before: dict[str, Any]
    ) -> None:
        self.kind = kind
        self.frame = frame
        self.space = space
        self.before = {name: _remember(value) for name, value in before.items()}

    def changed(self) -> Iterator[str]:
        """Yield the names whose values have changed."""
        for name, is_same in self.before.items():
            if name in self.space and not is_same(self.space[name]):
                yield name

    def release(self) -> None:
        """Drop the variables of a closure, which could keep a tracer alive by now."""
        if isinstance(self.space, _Cells):
            self.space = {}


def snapshots(
    frame: Frame, function: Any, values: Sequence[Any], is_own: IsOwn
) -> Iterator[ValueSnapshot]:
    """Yield what a function that is being traced can read: globals, closures, attributes."""
    for inner in _unwrapped(function):
        code, space = getattr(inner, "__code__", None), getattr(inner, "__globals__", None)
        owner = getattr(inner, "__self__", None)
        if isinstance(code, CodeType) and is_own(code.co_filename):
            if isinstance(space, dict):
                yield from _globals(frame, code.co_names, space, is_own)
            cells = _small_cells(inner)
            yield ValueSnapshot(StaleGlobal, frame, cells, _plain(cells, tuple(cells.cells)))
            for value in _closed_over(inner):
                if leaks.is_own_class(type(value), is_own):
                    yield from _attributes(StaleAttribute, frame, value, is_kept=True)
        if owner is not None and leaks.is_own_class(type(owner), is_own):
            yield from _attributes(MutatedBound, frame, owner)
    for value in values:
        if leaks.is_own_class(type(value), is_own):
            yield from _attributes(MutatedStatic, frame, value)


def _globals(
    frame: Frame, names: Sequence[str], space: dict[str, Any], is_own: IsOwn
) -> Iterator[ValueSnapshot]:
    """Yield the global values that a function names, and what the objects among them hold."""
    yield ValueSnapshot(StaleGlobal, frame, space, _held(space, names))
    for value in (space.get(name) for name in names):
        if type(value) is dict and len(value) <= MOST_ITEMS:
            yield ValueSnapshot(StaleItem, frame, value, _items(value))
        if _is_own_module(value, is_own):
            settings = vars(value)
            yield ValueSnapshot(StaleAttribute, frame, settings, _plain(settings, names))
        if leaks.is_own_class(type(value), is_own) or type(value) in _SETTINGS:
            yield from _attributes(StaleAttribute, frame, value)


def _is_own_module(value: Any, is_own: IsOwn) -> bool:
    """Return whether a value is a module of the learner's, such as one of settings."""
    return isinstance(value, ModuleType) and is_own(getattr(value, "__file__", None) or "")


def _attributes(
    kind: type[ChangedValue], frame: Frame, owner: Any, is_kept: bool = False
) -> Iterator[ValueSnapshot]:
    """Yield the attributes of an object, which is kept alive if it holds settings only."""
    with suppress(TypeError):  # a class with slots, of which there are no weak references
        values = (leaks.instance_dict(owner) or {}).values()
        is_kept &= all(type(value) in _PLAIN for value in values)
        held = _Names(owner, leaks.instance_dict, is_kept)
        yield ValueSnapshot(kind, frame, held, _held(held, tuple(held.now())))


def _unwrapped(function: Any) -> Iterator[Any]:
    """Yield a function and those that it wraps: partials, gradients, decorated functions."""
    for _ in range(MOST_WRAPPERS):
        yield function
        if isinstance(function, functools.partial):
            function = function.func
        elif (wrapped := getattr(function, "__wrapped__", None)) is not None:
            function = wrapped
        else:
            return


class _Names:
    """The names that an object holds, as long as it is alive or if it is kept: attributes."""

    def __init__(
        self, owner: Any, read: Callable[[Any], dict[str, Any] | None], is_kept: bool = False
    ) -> None:
        self._owner: Callable[[], Any] = (lambda: owner) if is_kept else weakref.ref(owner)
        self._read = read

    def now(self) -> dict[str, Any]:
        """Return the current values; empty if the object has gone."""
        owner = self._owner()
        return (self._read(owner) or {}) if owner is not None else {}

    def __contains__(self, name: str) -> bool:
        return name in self.now()

    def __getitem__(self, name: str) -> Any:
        return self.now()[name]

    def get(self, name: str) -> Any:
        """Return the current value of a name, or None."""
        return self.now().get(name)


class _Cells:
    """Variables of a closure that held small values; kept, as the function may go first."""

    def __init__(self, cells: dict[str, CellType]) -> None:
        self.cells = cells

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def get(self, name: str) -> Any:
        """Return the current value of a variable, or None."""
        cell = self.cells.get(name)
        with suppress(ValueError):  # an empty cell
            return cell.cell_contents if cell is not None else None
        return None


def _small_cells(function: Any) -> _Cells:
    """Return the variables that a function reads from the functions around it."""
    pairs = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    cells = _Cells(dict(pairs))
    kept = {name for name, value in _plain(cells, tuple(cells.cells)).items() if _is_small(value)}
    return _Cells({name: cell for name, cell in cells.cells.items() if name in kept})


def _closed_over(function: Any) -> Iterator[Any]:
    """Yield the values of the variables that a function reads from the functions around it."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            yield cell.cell_contents


def _is_small(value: Any) -> bool:
    return int(getattr(value, "nbytes", 0)) <= MOST_BYTES


# ---------------------------------------------------------------- values


def _plain(space: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the values that a trace would capture as constants."""
    kinds = (*_PLAIN, *_ARRAYS)
    found = {n: space.get(n) for n in names}
    return {n: v for n, v in found.items() if issubclass(type(v), kinds) and not is_tracer(v)}


def _items(table: dict[Any, Any]) -> dict[str, Any]:
    """Return the settings in a dict: entries with a text as their key and a plain value."""
    return {k: v for k, v in table.items() if type(k) is str and type(v) in _PLAIN}


def _held(space: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the values that a trace would capture, alone or as leaves of a tree."""
    plain = _plain(space, names)
    others = {n: space.get(n) for n in names if n not in plain}
    return plain | {n: v for n, v in others.items() if _array_leaves(v)}


def _array_leaves(value: Any) -> list[Any]:
    """Return the arrays in a tree; an empty list for values that are not small trees."""
    if value is None or isinstance(value, ModuleType | FunctionType | MethodType | type):
        return []
    if isinstance(value, list | tuple | dict) and len(value) > MOST_ITEMS:
        return []
    try:
        leaves = jax.tree.leaves(value)
    except Exception:  # one of the learner's classes may not flatten
        return []
    arrays = [leaf for leaf in leaves[:MOST_LEAVES] if issubclass(type(leaf), _ARRAYS)]
    return [] if any(map(is_tracer, arrays)) else arrays


def _remember(value: Any) -> Callable[[Any], bool]:
    """Return a test of whether a later value is the same."""
    if type(value) in _PLAIN:
        return lambda now: type(now) in _PLAIN and bool(now == value)
    if issubclass(type(value), _ARRAYS):
        reference = weakref.ref(value)
        return lambda now: now is reference()
    kept = [weakref.ref(leaf) for leaf in _array_leaves(value)]

    def is_same(now: Any) -> bool:
        leaves = _array_leaves(now)
        return len(leaves) == len(kept) and all(
            leaf is reference() for leaf, reference in zip(leaves, kept, strict=True)
        )

    return is_same
