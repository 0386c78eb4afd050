"""Owns the naming of what is wrong in a program that did not raise: by watching and by reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from jaxtutor.core.causes import Cause, fill
from jaxtutor.core.locate import Module, read_module
from jaxtutor.core.matchers.operators import is_swallowed
from jaxtutor.core.model import Diagnosis, Observation
from jaxtutor.core.scene import Place
from jaxtutor.core.watched import Found, name_all

MOST_FINDINGS = 8


def find(
    observations: Iterable[Observation],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
) -> tuple[Diagnosis, ...]:
    """Name what was seen while the program ran, and what its source shows by itself."""
    read = {file: read_module(file, text) for file, text in sources.items()}
    modules = {file: module for file, module in read.items() if module is not None}
    found = [*name_all(tuple(observations), modules), *_read(modules)]
    named = {
        (slug, place.file, place.span.line): (slug, place, facts) for slug, place, facts in found
    }
    return tuple(_finding(item, causes) for item in list(named.values())[:MOST_FINDINGS])


def _finding(found: Found, causes: Mapping[str, Cause]) -> Diagnosis:
    slug, place, facts = found
    cause = causes.get(slug)
    text = place.expression
    known = {"expression": text, "condition": text, "line": str(place.span.line), **facts}
    return Diagnosis(
        error_class=None,
        message="",
        cause=slug,
        file=place.file,
        span=place.span,
        expression=place.expression,
        summary=fill(cause.summary, known) if cause else "",
        advice=fill(cause.advice, known) if cause else "",
    )


# ---------------------------------------------------------------- read


def _read(modules: dict[str, Module]) -> Iterator[Found]:
    for module in modules.values():
        for node in ast.walk(module.tree):
            yield from _dropped_update(module, node)
            yield from _precedence(module, node)


_UPDATES = frozenset(
    {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
)


def _dropped_update(module: Module, node: ast.AST) -> Iterator[Found]:
    """`x.at[i].set(v)` as a statement of its own does nothing."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    indexed = call.func.value
    at = indexed.value if isinstance(indexed, ast.Subscript) else None
    if call.func.attr in _UPDATES and isinstance(at, ast.Attribute) and at.attr == "at":
        span = module.span(call)
        facts = {"name": module.text(at.value)}
        yield "at-set-result-dropped", Place(module.file, span, module.text(span)), facts


def _precedence(module: Module, node: ast.AST) -> Iterator[Found]:
    """`a < b & c` is `a < (b & c)`."""
    if is_swallowed(module, node):
        span = module.span(node)
        yield "operator-precedence", Place(module.file, span, module.text(span)), {}
