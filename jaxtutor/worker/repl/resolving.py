"""Finds the value of an expression without running any of the learner's code.

The learner's properties and `__getattr__` are not called. Of JAX's arrays, only the attributes in
`_CHEAP` are read.
"""

from __future__ import annotations

import ast
import builtins
import functools
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import jax

MISSING = object()
_CHEAP = frozenset({"at", "shape", "dtype", "ndim", "size", "sharding", "aval", "weak_type"})
_SAME = frozenset({"T", "mT", "real", "imag"})

Names = dict[str, Any]


class Instance:
    """Represents an object of which only the class is known."""

    def __init__(self, cls: type) -> None:
        self.cls = cls


def resolve(expression: str, names: Names) -> Any:
    """Return the value of an expression, or `MISSING` if finding it would run code."""
    try:
        node = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return MISSING
    return _resolve(node, names)


def _resolve(node: ast.expr, names: Names) -> Any:
    match node:
        case ast.Name(id=name):
            return names.get(name, vars(builtins).get(name, MISSING))
        case ast.Constant(value=value):
            return value
        case ast.Attribute(value=inner, attr=name):
            return member(_resolve(inner, names), name)
        case ast.Subscript(value=inner, slice=index):
            return _item(_resolve(inner, names), index)
        case ast.Call(func=func):
            return _returned(_resolve(func, names))
        case ast.BinOp() | ast.UnaryOp():
            parts = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
            arrays = [_resolve(n, names) for n in parts]
            return Instance(jax.Array) if any(map(is_array, arrays)) else MISSING
        case ast.List():
            return Instance(list)
        case ast.Dict():
            return Instance(dict)
        case ast.Tuple():
            return Instance(tuple)
    return MISSING


def is_array(value: Any) -> bool:
    """Return True for a JAX array or an `Instance` of one."""
    if isinstance(value, Instance):
        return issubclass(value.cls, jax.Array)
    return issubclass(type(value), jax.Array)


def member(value: Any, name: str) -> Any:
    """Return an attribute if reading it runs none of the learner's code, else `MISSING`."""
    if value is MISSING:
        return MISSING
    if is_array(value):
        if name in _SAME:
            return Instance(jax.Array)
        if name in _CHEAP and not isinstance(value, Instance):
            return getattr(value, name)
    if isinstance(value, Instance):
        return from_class(value.cls, name, value)
    if issubclass(type(value), ModuleType):
        return vars(value).get(name, MISSING)
    if issubclass(type(value), type):
        return from_class(value, name, None)
    stored = stored_in(value)
    if name in stored:
        return stored[name]
    return from_class(type(value), name, value)


def stored_in(value: Any) -> dict[str, Any]:
    """Return the attributes in an object's own `__dict__`."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # no __dict__, or a class that replaces it
        return {}
    return found if type(found) is dict else {}


def from_class(cls: type, name: str, instance: Any) -> Any:
    """Return an attribute from the dictionary of a class or of its bases."""
    for base in type.__dict__["__mro__"].__get__(cls):
        space = type.__dict__["__dict__"].__get__(base)
        if name in space:
            found = space[name]
            if type(found) is FunctionType and instance is not None:
                return MethodType(found, instance)
            return _property(found) if type(found) is property else found
    return MISSING


def _property(found: property) -> Any:
    """Return an instance of a property's annotated type, without calling the property."""
    return _returned(found.fget) if found.fget is not None else MISSING


def _item(value: Any, index: ast.expr) -> Any:
    if is_array(value):
        return Instance(jax.Array)
    cls = type(value)
    if cls.__name__ == "_IndexUpdateHelper" and cls.__module__.startswith("jax."):
        return value[0]  # JAX's own; indexing it computes nothing
    if isinstance(index, ast.Constant) and type(value) in (dict, list, tuple):
        try:
            return value[index.value]
        except (KeyError, IndexError, TypeError):
            return MISSING
    return MISSING


def _returned(function: Any) -> Any:
    """Return an instance of the class that is called, or of the annotated return type."""
    if isinstance(function, Instance) or function is MISSING:
        return MISSING
    if issubclass(type(function), type):
        return Instance(function)
    inner = innermost(function)
    if type(inner) is not FunctionType:
        return MISSING
    annotation: Any = inner.__annotations__.get("return")
    if isinstance(annotation, str):
        annotation = inner.__globals__.get(annotation)
    return Instance(annotation) if isinstance(annotation, type) else MISSING


def innermost(function: Any) -> Any:
    """Return the plain function inside the wrappers of Python's library and JAX."""
    for _ in range(8):
        if type(function) in (FunctionType, BuiltinFunctionType):
            inner = stored_in(function).get("__wrapped__")
        elif type(function) in (MethodType, staticmethod, classmethod):
            inner = function.__func__
        elif type(function) is functools.partial:
            inner = function.func
        elif type(function).__module__.partition(".")[0] in ("jax", "jaxlib"):
            inner = getattr(function, "__wrapped__", None)
        else:
            inner = None
        if inner is None:
            return function
        function = inner
    return function
