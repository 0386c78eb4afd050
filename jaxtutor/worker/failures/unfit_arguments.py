"""Finds arguments that are certainly of another kind than the signature of a library declares."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from types import NoneType
from typing import get_args

from jaxtutor.core.data.failures import UnfitArgument
from jaxtutor.core.diagnosis.engine.phrases import in_words
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.worker.failures.name_facts import fact_of
from jaxtutor.worker.internals.places import IsOwn

_KINDS = {
    "int": frozenset({"array", "str", "dict", "list", "tuple", "function"}),
    "str": frozenset({"array", "number", "dict", "list", "tuple", "function"}),
    "Callable": frozenset({"array", "number", "str", "dict", "list", "tuple"}),
}
"""What a parameter of a declared type certainly does not take; None is often a default."""

_WORDS = {"str": "a text", "number": "a number", "function": "a function"}
_ARRAYS = ("array", "ndarray", "tracer")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def of_call(
    name: str,
    value: object,
    call: ast.Call,
    module: Module,
    arguments: Mapping[str, object],
    is_own: IsOwn,
) -> tuple[UnfitArgument, ...]:
    """Return the arguments of a call that do not fit; `arguments` maps their texts to values."""
    try:
        parameters = inspect.signature(value).parameters  # type: ignore[arg-type]
    except Exception:  # a builtin has none, and an object of the learner's may do anything
        return ()
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    found = []
    for parameter, text in _bound(parameters, call, module):
        if text not in arguments:
            continue
        fact = fact_of(text, [arguments[text]], is_own)
        said = in_words(fact) or _WORDS.get(fact.kind, fact.kind)
        declared, wanted = _declared(parameter.annotation), _class_of(parameter.annotation, home)
        is_array = fact.kind in _ARRAYS and not fact.detail.endswith("[]")
        if declared and ("array" if is_array else fact.kind) in _KINDS[declared]:
            found.append(UnfitArgument(name, parameter.name, declared, text, said))
        elif wanted is not None and fact.kind in _PLAIN:
            known = _public_classes(wanted, home)
            found.append(UnfitArgument(name, parameter.name, wanted.__name__, text, said, known))
    return tuple(found)


_PLAIN = frozenset("tracer array ndarray number str list tuple dict function".split())
"""Kinds of values that are not objects of a library's classes."""


def _class_of(annotation: object, home: str) -> type | None:
    """Return the class of the library that an annotation names, alone or beside None."""
    given = [a for a in get_args(annotation) if a is not NoneType] or [annotation]
    found = given[0]
    if len(given) > 1 or not isinstance(found, type) or getattr(found, "_is_protocol", False):
        return None
    is_named = found.__module__.partition(".")[0] == home and found.__name__.isidentifier()
    return None if not is_named or issubclass(found, tuple) else found


def _public_classes(wanted: type, home: str) -> tuple[str, ...]:
    """List what the library offers of a class: the class itself, or those that derive from it."""
    offered = vars(sys.modules[home]) if home in sys.modules else {}
    found = [
        name
        for name, value in offered.items()
        if isinstance(value, type) and issubclass(value, wanted) and not inspect.isabstract(value)
    ]
    if wanted.__name__ in found:
        return (wanted.__name__,)
    return tuple(sorted(n for n in found if not n.startswith(("_", "Abstract"))))


def _bound(
    parameters: Mapping[str, inspect.Parameter], call: ast.Call, module: Module
) -> Iterator[tuple[inspect.Parameter, str]]:
    """Pair the parameters with the texts of the arguments that they take."""
    taken = [p for p in parameters.values() if p.kind in _POSITIONAL]
    if not any(isinstance(a, ast.Starred) for a in call.args):
        yield from zip(taken, map(module.text, call.args), strict=False)
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg in parameters:
            yield parameters[keyword.arg], module.text(keyword.value)


def _declared(annotation: object) -> str:
    """Return the one type that an annotation names, if it is one of those compared; else empty."""
    if isinstance(annotation, type):
        return annotation.__name__ if annotation in (int, str) else ""
    written = re.sub(r"^(?:typing|collections\.abc)\.", "", str(annotation))
    found = re.fullmatch(r"(int|str|Callable)(?:\[.*\])?", written)
    return found[1] if found is not None else ""
