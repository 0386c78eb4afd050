"""Compares what a compiled function read from outside with what is there at a later call.

The reads are taken from the source of the function and of the functions that it calls: paths such
as `env.cfg.gravity` or `options["lr"]` that begin outside of them. They are evaluated without
running code of the learner's, when the function is traced and when it is called again.
"""

from __future__ import annotations

import ast
import functools
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.worker import leaks, positions
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import is_tracer

MOST_FUNCTIONS = 20  # that one compiled function calls
MOST_WRAPPERS = 8  # around one function
MOST_READS = 100  # of one compiled function
MOST_PROGRAMS = 200  # functions whose reads are kept
MOST_BYTES = 1 << 14  # of an array that is kept by value

_PLAIN = (bool, int, float, complex, str)
_MISSING = object()


@dataclass(frozen=True)
class CapturedRead:
    """A path that a function reads, how to read it again, and the text of its value then."""

    path: str
    place: Frame
    now: Callable[[], Any]
    is_same: Callable[[Any], bool]
    before: str


@dataclass(frozen=True)
class ReadChange:
    """A read whose value is another one when the compiled function is called again."""

    read: CapturedRead
    after: str


class CapturedReads:
    """Keeps the reads of each compiled function, by its name, file and line."""

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self._reads: dict[tuple[str, str, int], list[CapturedRead]] = {}

    def keep(self, key: tuple[str, str, int], function: Any) -> None:
        """Keep what a function reads that is being traced, in place of what it read before."""
        if len(self._reads) < MOST_PROGRAMS or key in self._reads:
            self._reads[key] = list(_Reader(self._is_own).read(function))

    def changes(self, key: tuple[str, str, int] | None) -> Iterator[ReadChange]:
        """Yield what has changed for a function that is called again; each change once."""
        reads = self._reads.get(key, []) if key is not None else []
        for read in tuple(reads):
            value = read.now()
            if not read.is_same(value):
                reads.remove(read)
                if value is not _MISSING:
                    yield ReadChange(read, _text(value))

    def forget(self) -> None:
        """Discard the reads."""
        self._reads.clear()


class _Reader:
    """Collects the reads of one function and of those that it calls."""

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self._seen: set[int] = set()
        self._count = 0

    def read(self, function: Any) -> Iterator[CapturedRead]:
        """Yield what a function, a method or an object that can be called reads."""
        receiver = None
        for _ in range(MOST_WRAPPERS):
            if isinstance(function, FunctionType) and self._is_own(function.__code__.co_filename):
                break
            if isinstance(function, MethodType):
                receiver, function = function.__self__, function.__func__
            elif leaks.is_own_class(type(function), self._is_own):
                receiver, function = function, _in_class(type(function), "__call__")
            else:
                held = leaks.instance_dict(function) or {}
                is_partial = isinstance(function, functools.partial)
                function = function.func if is_partial else held.get("__wrapped__")
        else:
            return
        if id(function.__code__) in self._seen or len(self._seen) >= MOST_FUNCTIONS:
            return
        self._seen.add(id(function.__code__))
        code = function.__code__
        module = positions.module_of(code.co_filename)
        node = _node_of(module, function) if module is not None else None
        if module is not None and node is not None:
            yield from self._reads_in(module, node, function, receiver)

    def _reads_in(
        self, module: Module, node: FunctionNode, function: FunctionType, receiver: Any
    ) -> Iterator[CapturedRead]:
        outside = _outside(function, receiver)
        targets = (n for n in ast.walk(node) if isinstance(getattr(n, "ctx", None), ast.Store))
        stored = {ast.unparse(target) for target in targets}
        for path in _paths(module, node):
            root = path
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            name = root.id if isinstance(root, ast.Name) else ""
            look_up = outside.get(name)
            if look_up is None or ast.unparse(path) in stored or name in stored:
                continue
            now = _resolver(path, look_up)
            value = now()
            if isinstance(module.parents.get(path), ast.Call):  # it is called, or passed on
                yield from self.read(value)
            if isinstance(value, property) and isinstance(path, ast.Attribute):
                owner = _resolver(path.value, look_up)()
                yield from self.read(MethodType(value.fget, owner) if value.fget else None)
            is_same = _comparison(value)
            if is_same is not None and self._count < MOST_READS:
                self._count += 1
                place = Frame(module.file, function.__name__, module.span(path))
                yield CapturedRead(module.text(path), place, now, is_same, _text(value))


def _outside(function: FunctionType, receiver: Any) -> Mapping[str, Callable[[], Any]]:
    """Return how to read the variables that a function has from outside, by their names."""
    space, code = function.__globals__, function.__code__
    found: dict[str, Callable[[], Any]] = {}
    for name in _names(code, "co_names") - _names(code, "co_varnames", "co_cellvars"):
        found[name] = functools.partial(space.get, name, _MISSING)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        found[name] = functools.partial(_content, cell)
    if receiver is not None and code.co_argcount:
        found[code.co_varnames[0]] = _weakly(receiver)
    return found


def _names(code: CodeType, *kinds: str) -> set[str]:
    """Return the names of some kinds in code, and in the code inside it."""
    own = {name for kind in kinds for name in getattr(code, kind)}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return own.union(*(_names(c, *kinds) for c in inner))


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return _MISSING


def _weakly(receiver: Any) -> Callable[[], Any]:
    """Return a function that gives an object as long as it lives."""
    try:
        reference = weakref.ref(receiver)
    except TypeError:  # a class with slots
        return lambda: _MISSING
    return lambda: _MISSING if reference() is None else reference()


def _paths(module: Module, node: FunctionNode) -> Iterator[ast.expr]:
    """Yield the longest paths that a function reads, not those in functions for the host."""
    body = node.body if isinstance(node.body, list) else [node.body]
    for inner in (inner for part in body for inner in ast.walk(part)):
        is_path = isinstance(inner, ast.Name | ast.Attribute | ast.Subscript)
        if not is_path or not isinstance(getattr(inner, "ctx", None), ast.Load):
            continue
        outer = module.parents.get(inner)
        is_part = isinstance(outer, ast.Attribute) or (
            isinstance(outer, ast.Subscript) and outer.value is inner and _key_of(outer) is not None
        )
        if not is_part and not _is_for_host(module, inner, node):
            yield inner  # type: ignore[misc]  # it is one of the three kinds above


def _is_for_host(module: Module, inner: ast.AST, node: FunctionNode) -> bool:
    """Return whether an expression is passed to a callback, which reads when it runs."""
    for outer in module.ancestors(inner):
        if outer is node:
            return False
        called = path_of(outer.func) if isinstance(outer, ast.Call) else None
        if (called or "").rpartition(".")[2].endswith(("callback", "print", "call")):
            return True
    return False


def _key_of(node: ast.Subscript) -> Any:
    """Return the constant that a subscript has, or None."""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return key if isinstance(key, str | int) else None


def _resolver(path: ast.expr, look_up: Callable[[], Any]) -> Callable[[], Any]:
    """Return a function that reads a path, without running code of a class."""
    steps: list[tuple[bool, Any]] = []
    while isinstance(path, ast.Attribute | ast.Subscript):
        is_attribute = isinstance(path, ast.Attribute)
        steps.append(
            (is_attribute, path.attr if isinstance(path, ast.Attribute) else _key_of(path))
        )
        path = path.value
    steps.reverse()

    def now() -> Any:
        value = look_up()
        for is_attribute, key in steps:
            value = stored_attribute(value, key) if is_attribute else _item(value, key)
        return value

    return now


def stored_attribute(owner: Any, name: str) -> Any:
    """Return an attribute as it is stored: of an object, of its class, or of a module."""
    if owner is _MISSING or is_tracer(owner):
        return _MISSING
    if isinstance(owner, ModuleType):
        return vars(owner).get(name, _MISSING)
    if isinstance(owner, type):
        return _in_class(owner, name)
    held = leaks.instance_dict(owner) or {}
    if name in held:
        return held[name]
    found = _in_class(type(owner), name)
    return MethodType(found, owner) if isinstance(found, FunctionType) else found


def _in_class(owner: type, name: str) -> Any:
    return next((vars(c)[name] for c in owner.__mro__ if name in vars(c)), _MISSING)


def _item(owner: Any, key: Any) -> Any:
    if type(owner) is dict:
        return owner.get(key, _MISSING)
    if type(owner) in (list, tuple) and type(key) is int and -len(owner) <= key < len(owner):
        return owner[key]
    return _MISSING


def _comparison(value: Any) -> Callable[[Any], bool] | None:
    """Return a test of whether a later value is the same; None for values that are not compared."""
    if type(value) in _PLAIN:
        return lambda now: type(now) in _PLAIN and bool(now == value or now != now)
    if type(value) is np.ndarray and value.nbytes <= MOST_BYTES and value.dtype.kind in "biufc":
        kept = value.copy()
        return lambda now: type(now) is np.ndarray and np.array_equal(now, kept, equal_nan=True)
    if isinstance(value, jax.Array) and not is_tracer(value):
        reference = weakref.ref(value)
        return lambda now: now is reference() or not isinstance(now, jax.Array)
    return None


def _text(value: Any) -> str:
    """Return a value as a page shows it; an array by its type."""
    if type(value) in _PLAIN:
        return repr(value)[:40]
    return f"{value.dtype}{list(value.shape)}" if hasattr(value, "dtype") else type(value).__name__


def _node_of(module: Module, function: FunctionType) -> FunctionNode | None:
    return module.function_at(function.__name__, function.__code__.co_firstlineno)
