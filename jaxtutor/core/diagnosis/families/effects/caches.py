"""Owns the causes in caches of the learner's own."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.source import Definition, path_of

_CACHES = frozenset({"lru_cache", "cache"})


def unhashable_array(context: FailureContext) -> Match | None:
    """A cache is keyed by an array or a tracer, which cannot be hashed."""
    if context.error != "TypeError" or "unhashable type" not in context.message:
        return None
    is_array = "ArrayImpl" in context.message or "ndarray" in context.message
    is_tracer = "Tracer" in context.message
    if is_array or (is_tracer and _calls_cached(context)):
        return Match(facts={"function": _called_name(context)})
    return None


def _called_name(context: FailureContext) -> str:
    node = context.node
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _calls_cached(context: FailureContext) -> bool:
    """Tell whether the call at fault calls a function of the learner's that a cache wraps."""
    name = _called_name(context)
    return any(
        isinstance(f, Definition) and f.name == name and any(map(_is_cache, f.decorator_list))
        for m in context.modules.values()
        for f in m.functions
    )


def _is_cache(decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (path_of(target) or "").rpartition(".")[2] in _CACHES


MATCHERS = (("unhashable-array-in-cache", unhashable_array),)
