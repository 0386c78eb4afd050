"""Describes what names refer to in a frame: kinds, shapes, classes, without running their code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.engine.source import Module, own_nodes, path_of
from jaxtutor.worker import leaks, positions
from jaxtutor.worker.failures.frame_values import (
    MISSING,
    in_classes,
    instance_dict,
    mro,
    reach,
)
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import is_tracer

MOST_NAMES = 120
MOST_BASES = 8
MOST_LEAVES = 2000


def facts_of(frame: FrameType, line: int, is_own: IsOwn) -> tuple[NameFact, ...]:
    """Return a fact about the current value of each name and dotted path in a frame's function."""
    module = positions.module_of(frame.f_code.co_filename)
    if module is None:
        return ()
    paths = islice(dict.fromkeys(_paths(module, frame.f_code, line)), MOST_NAMES)
    return tuple(fact_about(path, frame, is_own) for path in paths)


def _paths(module: Module, code: CodeType, line: int) -> Iterator[str]:
    """Yield the paths of the statement at fault, then those of the rest of the function."""
    statement = module.statement_on(line)
    if statement is not None:
        yield from _paths_in(ast.walk(statement))
    scope = module.function_at(code.co_name, code.co_firstlineno)
    if scope is not None:
        yield from (a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg))
        yield from _paths_in(own_nodes(scope))


def _paths_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        path = path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if path is not None:
            yield path


def fact_about(path: str, frame: FrameType, is_own: IsOwn) -> NameFact:
    """Describe what a name or dotted path refers to in a frame."""
    reached = reach(path, frame)
    return NameFact(path, "missing") if reached[-1] is MISSING else fact_of(path, reached, is_own)


def fact_of(path: str, reached: list[object], is_own: IsOwn) -> NameFact:
    """Describe the last of the values along a path."""
    value = reached[-1]
    own, bases = is_owned(value, is_own), tuple(_bases(type(value)))
    detail, functions = _detail(value, path, reached), _has_functions(value)
    return NameFact(path, _kind(value), detail, own, bases, functions)


def _bases(cls: type) -> Iterator[str]:
    """Yield the paths of a class and its bases, for one that is neither Python's nor JAX's."""
    for base in mro(cls)[:MOST_BASES]:
        path = class_path(base)
        if "." in path and not path.startswith(("jax.", "jaxlib.", "jax._src.", "numpy.")):
            yield path


def _has_functions(value: object) -> bool:
    """Return whether a model of Equinox has a function among its leaves, such as its activation."""
    return _is_model(value) and any(_kind(leaf) == "function" for leaf in _leaves(value))


def _is_model(value: object) -> bool:
    return any(class_path(base) in _MODELS for base in mro(type(value)))


_MODELS = ("equinox._module._module.Module", "equinox.Module", "equinox._module.Module")


def _leaves(model: object) -> Iterator[object]:
    """Yield what a model and its containers hold, without running the code of their classes."""
    waiting, seen = [model], 0
    while waiting and seen < MOST_LEAVES:
        value, seen = waiting.pop(), seen + 1
        cls = type(value)
        if cls is dict:
            waiting.extend(dict.values(value))  # type: ignore[arg-type]
        elif cls is list or cls is tuple:
            waiting.extend(value)  # type: ignore[arg-type]
        elif _is_model(value):
            waiting.extend(v for k, v in instance_dict(value).items() if not _is_static(cls, k))
        else:
            yield value


def _is_static(cls: type, name: str) -> bool:
    """Return whether an attribute of a model belongs to its structure and is not a leaf."""
    fields = in_classes(mro(cls), "__dataclass_fields__")
    declared = fields.get(name) if type(fields) is dict else None
    return declared is None or bool(declared.metadata.get("static"))


_KINDS: tuple[tuple[type, str], ...] = (
    (type(None), "none"),
    (bool, "number"),
    (int, "number"),
    (float, "number"),
    (complex, "number"),
    (np.generic, "number"),
    (str, "str"),
    (list, "list"),
    (tuple, "tuple"),
    (dict, "dict"),
    (set, "set"),
    (frozenset, "set"),
    (np.ndarray, "ndarray"),
    (ModuleType, "module"),
    (type, "class"),
    (FunctionType, "function"),
    (BuiltinFunctionType, "function"),
    (MethodType, "function"),
    (np.ufunc, "function"),
    (np.vectorize, "function"),
    (jax.numpy.ufunc, "function"),
    (staticmethod, "function"),
    (classmethod, "function"),
)


def _kind(value: object) -> str:
    cls = type(value)
    if is_tracer(value):
        return "tracer"
    if issubclass(cls, jax.Array):
        return "typed_key" if _is_typed_key(value) else "array"
    for base, kind in _KINDS:
        if issubclass(cls, base):
            return kind
    return "function" if _wrapped(value) is not None else "other"


def _is_typed_key(value: Any) -> bool:
    return bool(jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key))


def _wrapped(value: object) -> object | None:
    """Return the function inside one that a library wrapped, such as a jitted function."""
    if type(value).__module__.partition(".")[0] in ("jax", "jaxlib", "functools"):
        inner = instance_dict(value).get("__wrapped__")
        if inner is None and type(value).__name__ == "partial":
            inner = getattr(value, "func", None)
        if inner is None and type(value).__name__ == "PjitFunction":
            inner = getattr(value, "__wrapped__", None)
        return inner
    return None


def _detail(value: object, path: str, reached: list[object]) -> str:
    kind = _kind(value)
    if kind in ("tracer", "array", "typed_key"):
        return tracers.aval_text(value)
    if kind == "ndarray":
        array = np.ndarray.view(value, np.ndarray)  # type: ignore[call-overload]
        return f"{array.dtype}[{','.join(map(str, array.shape))}]"
    if kind in ("list", "tuple", "dict", "set"):
        return str(_length(value))
    if kind in ("module", "class", "function"):
        return _home(value, path, reached)
    return class_path(type(value))


def array_type(value: object) -> str:
    """Return the type of an array, a tracer or a key, as JAX writes it; empty for other values."""
    is_array = _kind(value) in ("tracer", "array", "typed_key", "ndarray")
    return _detail(value, "", []) if is_array else ""


def _length(value: Any) -> int:
    for base in (list, tuple, dict, set, frozenset):
        if issubclass(type(value), base):
            return int(base.__len__(value))
    return 0


def _home(value: object, path: str, reached: list[object]) -> str:
    """Return the dotted path of a module, class or function, by the module it was read from."""
    if issubclass(type(value), ModuleType):
        return str(vars(value).get("__name__", ""))
    if len(reached) > 1 and issubclass(type(reached[-2]), ModuleType):
        return f"{vars(reached[-2]).get('__name__', '')}.{path.rpartition('.')[2]}"
    if issubclass(type(value), type):
        return class_path(value)  # type: ignore[arg-type]
    if type(value) is np.ufunc:
        home = "numpy" if getattr(np, value.__name__, None) is value else "scipy.special"
        return f"{home}.{value.__name__}"
    if type(value) is np.vectorize:
        return "numpy.vectorize"
    if type(value) is jax.numpy.ufunc:
        return f"jax.numpy.{getattr(value, '__name__', '')}"
    value = innermost(value)
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    return f"{module}.{name}" if module else str(name)


def innermost(value: object) -> object:
    """Return the function behind a wrapper or a method.

    The result is compared with None only, because its `__bool__` may raise.
    """
    wrapped = _wrapped(value)
    value = value if wrapped is None else wrapped
    return getattr(value, "__func__", value) if type(value) in _METHODS else value


_METHODS = (MethodType, staticmethod, classmethod)


def class_path(cls: type) -> str:
    """Return the dotted path of a class; its name alone if it is a builtin."""
    module = type.__dict__["__module__"].__get__(cls)
    name = type.__dict__["__qualname__"].__get__(cls)
    return str(name) if module == "builtins" else f"{module}.{name}"


def is_owned(value: object, is_own: IsOwn) -> bool:
    """Return whether a function or class is defined in the learner's files."""
    value = innermost(value)
    if type(value) is FunctionType:
        return is_own(value.__code__.co_filename)
    return issubclass(type(value), type) and leaks.is_own_class(value, is_own)  # type: ignore[arg-type]
