"""Finds arguments that are certainly of another kind than the signature of a library declares."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping

from jaxtutor.core.data.failures import UnfitArgument
from jaxtutor.core.diagnosis.fact_words import in_words
from jaxtutor.core.diagnosis.source import Module
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
    found = []
    for parameter, text in _bound(parameters, call, module):
        declared = _declared(parameter.annotation)
        if not declared or text not in arguments:
            continue
        fact = fact_of(text, [arguments[text]], is_own)
        is_array = fact.kind in _ARRAYS and not fact.detail.endswith("[]")
        if ("array" if is_array else fact.kind) in _KINDS[declared]:
            said = in_words(fact) or _WORDS.get(fact.kind, fact.kind)
            found.append(UnfitArgument(name, parameter.name, declared, text, said))
    return tuple(found)


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
