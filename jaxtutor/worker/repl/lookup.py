"""Finds completions at the cursor, signatures, and the page that `?name` shows."""

from __future__ import annotations

import builtins
import functools
import inspect
import keyword
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.repl.messages import Complete, Completion, Describe, Described, Line, Page
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.repl import values
from jaxtutor.worker.repl.resolving import (
    MISSING,
    Instance,
    Names,
    from_class,
    innermost,
    is_array,
    resolve,
    stored_in,
)

MOST = 400
MOST_DOC = 30

# ---------------------------------------------------------------- completion


def complete(names: Names, request: Complete) -> tuple[Completion, ...]:
    """Return the completions at the cursor: first arguments, then names with the typed prefix."""
    found: dict[str, Completion] = {}
    for candidate in _candidates(names, request):
        if len(found) >= MOST:
            break
        found.setdefault(candidate.text, candidate)
    return tuple(found.values())


def _candidates(names: Names, request: Complete) -> Iterator[Completion]:
    prefix = request.prefix
    if request.kind == "name":
        yield from _arguments(names, request)
        yield from _begin(prefix, ((n, v) for n, v in sorted(names.items())))
        words = (*keyword.kwlist, *keyword.softkwlist)
        yield from (Completion(w, "keyword") for w in words if w.startswith(prefix) and prefix)
        if prefix:
            yield from _begin(prefix, sorted(vars(builtins).items()))
    elif request.kind == "attribute":
        value = resolve(request.subject, names)
        if value is not MISSING:
            yield from _begin(prefix, _members(value))
    elif request.kind == "key":
        value = resolve(request.subject, names)
        if type(value) is dict:
            keys = [key for key in value if type(key) is str]
            yield from (Completion(key, "key") for key in keys if key.startswith(prefix))
    elif request.kind == "module":
        yield from _modules(prefix)
    elif request.kind == "member":
        module = sys.modules.get(request.subject)
        if module is not None:
            yield from _begin(prefix, sorted(vars(module).items()))
        yield from _submodules(request.subject, prefix)


def _begin(prefix: str, members: Iterable[tuple[str, Any]]) -> Iterator[Completion]:
    """Yield the members with the typed prefix. Hide private names unless it is an underscore."""
    for name, value in members:
        if not name.startswith(prefix) or not isinstance(name, str):
            continue
        if name.startswith("_") and not prefix.startswith("_"):
            continue
        yield Completion(name, kind_of(value))


def _arguments(names: Names, request: Complete) -> Iterator[Completion]:
    function = resolve(request.call, names) if request.call else MISSING
    signature = signature_of(function)
    for parameter in signature.parameters.values() if signature else ():
        takes_name = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if takes_name and parameter.name.startswith(request.prefix):
            yield Completion(f"{parameter.name}=", "argument")


def _modules(prefix: str) -> Iterator[Completion]:
    package, _, rest = prefix.rpartition(".")
    if package:
        yield from (
            Completion(f"{package}.{found.text}", found.kind)
            for found in _submodules(package, rest)
        )
        return
    for name in sorted(_top_modules()):
        if name.startswith(prefix) and (prefix or not name.startswith("_")):
            yield Completion(name, "module")


@functools.cache
def _top_modules() -> frozenset[str]:
    found = {module.name for module in pkgutil.iter_modules()}
    return frozenset(found | set(sys.stdlib_module_names))


def _submodules(package: str, prefix: str) -> Iterator[Completion]:
    """Yield a package's modules if it is already imported, because importing runs code."""
    paths = vars(sys.modules[package]).get("__path__") if package in sys.modules else None
    for module in pkgutil.iter_modules(list(paths or ())):
        if module.name.startswith(prefix) and not module.name.startswith("_"):
            yield Completion(module.name, "module")


def kind_of(value: Any) -> str:
    """Return the kind of a value in one word, or an array's type."""
    if isinstance(value, Instance):
        return value.cls.__name__
    cls = type(value)
    if issubclass(cls, jax.Array | np.ndarray) and not tracers.is_tracer(value):
        return values.type_text(value)
    if issubclass(cls, ModuleType):
        return "module"
    if issubclass(cls, type):
        return "class"
    if cls.__name__ in ("PjitFunction", "CompiledFunction"):
        return "jit"
    kinds = (FunctionType, BuiltinFunctionType, MethodType, staticmethod, classmethod)
    if issubclass(cls, kinds) or cls.__name__ in ("ufunc", "method_descriptor", "custom_jvp"):
        return "function"
    if cls in (property, functools.cached_property):
        return "property"
    return cls.__name__


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the stored attributes of a value and their values."""
    if issubclass(type(value), ModuleType):
        yield from sorted(vars(value).items())
        return
    found: dict[str, Any] = {}
    cls = value.cls if isinstance(value, Instance) else type(value)
    classes = value if issubclass(cls, type) else cls
    for base in reversed(type.__dict__["__mro__"].__get__(classes)):
        found.update(type.__dict__["__dict__"].__get__(base))
    if not isinstance(value, Instance) and not issubclass(cls, type):
        found.update(stored_in(value))
    named = ((name, held) for name, held in found.items() if isinstance(name, str))
    yield from sorted(named, key=lambda pair: pair[0])


# ---------------------------------------------------------------- signatures


def signature_of(function: Any) -> inspect.Signature | None:
    """Return a function's signature if reading it runs none of the learner's code."""
    if isinstance(function, Instance) or function is MISSING:
        return None
    is_method = False
    if issubclass(type(function), type):
        made = from_class(function, "__init__", None)
        if type(made) is not FunctionType:
            made, is_method = function, False
            if type.__dict__["__module__"].__get__(function) == "__main__":
                return None
        else:
            is_method = True
        function = made
    is_method = is_method or type(function) is MethodType
    target = function if type(function) is functools.partial else innermost(function)
    callers: tuple[type, ...] = (FunctionType, BuiltinFunctionType, functools.partial)
    if type(target) not in callers and type(target) not in (type, np.ufunc):
        return None
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return None
    if is_method:
        first, *rest = signature.parameters.values() or (None,)
        return signature.replace(parameters=[p for p in rest if p is not None]) if first else None
    return signature


def describe(names: Names, request: Describe) -> Described:
    """Return the parameters and the summary of the function that an expression names."""
    function = resolve(request.subject, names)
    signature = signature_of(function)
    if signature is None:
        return Described(request.number)
    return Described(
        request.number,
        request.subject.rpartition(".")[2],
        tuple(_parameter_text(parameter) for parameter in signature.parameters.values()),
        _first_line(_doc(function)),
    )


def _parameter_text(parameter: inspect.Parameter) -> str:
    text = parameter.name
    if parameter.kind is parameter.VAR_POSITIONAL:
        text = f"*{text}"
    elif parameter.kind is parameter.VAR_KEYWORD:
        text = f"**{text}"
    if parameter.default is parameter.empty:
        return text
    return f"{text}={_default_text(parameter.default)}"


def _default_text(value: Any) -> str:
    """Return a default as text if it is plain data, else its name or an ellipsis."""
    if type(value) in (bool, int, float, complex, str, type(None), tuple, bytes):
        text = repr(value)
        return text if len(text) <= 24 else "…"
    return str(getattr(value, "__name__", None) or "…")


def _doc(value: Any) -> str:
    target = innermost(value)
    kinds = (FunctionType, BuiltinFunctionType, ModuleType, type, np.ufunc)
    doc = target.__doc__ if issubclass(type(target), kinds) else type(target).__doc__
    return inspect.cleandoc(doc) if isinstance(doc, str) else ""


def _first_line(doc: str) -> str:
    return doc.strip().split("\n", 1)[0]


# ---------------------------------------------------------------- ?name


def inspect_name(names: Names, subject: str, deeply: bool) -> Page:
    """Return a page about an expression's value: its type, signature and documentation."""
    value = resolve(subject, names)
    if value is MISSING:
        return ((("Its value is unknown until it runs. Evaluate it first, then type `?_`.", ""),),)
    lines: list[Line] = [((subject, "code"), (f"   {kind_of(value)}", "quiet"))]
    signature = signature_of(value)
    if signature is not None:
        name = subject.rpartition(".")[2]
        parts = ", ".join(map(_parameter_text, signature.parameters.values()))
        lines.append(((f"{name}({parts})", ""),))
    lines += _doc_lines(value)
    if deeply:
        lines += _source_lines(value)
    return tuple(lines)


def _doc_lines(value: Any) -> Iterator[Line]:
    if is_array(value) or type(value) in (int, float, bool, str, list, dict, tuple):
        return
    doc = _doc(value).split("\n")
    yield from (((line, ""),) for line in doc[:MOST_DOC] if doc != [""])
    if len(doc) > MOST_DOC:
        yield ((f"{len(doc) - MOST_DOC} lines more: `help(…)` has them", "quiet"),)


def _source_lines(value: Any) -> Iterator[Line]:
    target: Callable[..., Any] = innermost(value)
    if type(target) is not FunctionType and not isinstance(target, type | ModuleType):
        return
    try:
        source = inspect.getsource(target)
    except (OSError, TypeError):
        return
    yield (("source", "title"),)
    yield from (((line, ""),) for line in source.rstrip("\n").split("\n")[:200])
