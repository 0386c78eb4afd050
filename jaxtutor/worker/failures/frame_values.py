"""Reads values by name in a live frame, without running code of their classes."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from types import FrameType, FunctionType, ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.worker.internals.tracers import is_tracer

MISSING = object()
"""Stands for a name or attribute that has no value, or that cannot be read."""


def reach(path: str, frame: FrameType) -> list[object]:
    """Return the values along a dotted path; `MISSING` from where one cannot be read."""
    first, *rest = path.split(".")
    reached = [_lookup(first, frame)]
    for name in rest:
        reached.append(_member(reached[-1], name))
    return reached


def _lookup(name: str, frame: FrameType) -> object:
    for space in (frame.f_locals, frame.f_globals, builtins.__dict__):
        if name in space:
            return space[name]
    return MISSING


def _member(value: object, name: str) -> object:
    """Return an attribute that can be read without running code, else `MISSING`."""
    cls = type(value)
    if is_tracer(value) or issubclass(cls, jax.Array | np.ndarray):
        return MISSING
    if cls is ModuleType or issubclass(cls, ModuleType):
        return vars(value).get(name, MISSING)
    if issubclass(cls, type):
        return in_classes(mro(value), name)  # type: ignore[arg-type]
    if issubclass(cls, tuple) and name in _fields_of(cls):
        return _element(value, _fields_of(cls).index(name))
    stored = instance_dict(value)
    if name in stored:
        return stored[name]
    found = in_classes(mro(cls), name)
    plain = (FunctionType, staticmethod, classmethod, int, float, str, tuple, bool)
    return found if type(found) in plain or is_tracer(found) else MISSING


def _fields_of(cls: type) -> tuple[str, ...]:
    """Return the fields of a named tuple, such as an optimizer of Optax."""
    fields = in_classes(mro(cls), "_fields")
    return fields if type(fields) is tuple else ()


def _element(value: Any, position: int) -> object:
    """Return an element of a tuple, even if its class overrides `__getitem__`."""
    return list(tuple.__iter__(value))[position]


def mro(cls: type) -> tuple[type, ...]:
    """Return the classes that a class derives from, itself first, without running its code."""
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(cls)
    return found


def in_classes(classes: Iterable[type], name: str) -> object:
    """Return what the first of some classes that defines a name has under it, else `MISSING`."""
    for cls in classes:
        space = type.__dict__["__dict__"].__get__(cls)
        if name in space:
            return space[name]
    return MISSING


def instance_dict(value: object) -> dict[str, object]:
    """Return the attributes that an object itself stores; empty if they cannot be read."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # no __dict__, or a class that replaces it
        return {}
    return found if type(found) is dict else {}
