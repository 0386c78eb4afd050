"""Matches and fixes arrays in what a registered class says is not data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import keyword_value
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import last_part

_ARRAY = re.compile(r"Array|ndarray")
_JAXTYPING = re.compile(r"\b(?:Float|Int|UInt|Bool|Complex|Num|Shaped|Inexact|Key)\d*\[")
"""Annotations of arrays; one of jaxtyping may name a type of the learner's own."""


class StaticArray(InContext, frozen=True, kw_only=True):
    """A field for an array, in the file `home`, that is declared static."""

    home: Module
    field: ast.AnnAssign


def array_in_metadata(context: FailureContext) -> InContext | None:
    """An array is part of what a registered class says is not data.

    jax names the class from 0.11 on; before, it has to be the only one with such a part.
    """
    said = re.search(r"of type <class '([\w.<>]*)'>", context.message)
    name = last_part(said[1]) if said is not None else ""
    found = [
        (module, node)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
        and (node.name == name or (not name and (_flattening(node) or _static_array(module, node))))
    ]
    if not found or (not name and len(found) > 1):
        return None
    module, node = found[0]
    field = _static_array(module, node)
    if field is not None:
        facts = {"name": node.name, "argument": module.text(field.target)}
        facts["detail"] = f"{facts['argument']}: {module.text(field.annotation)}"
        place = module.location(field)
        return StaticArray(place, facts, "field", context=context, home=module, field=field)
    flatten = _flattening(node)
    value = result_of(flatten) if flatten is not None else None
    parts = value.elts if isinstance(value, ast.Tuple) else []
    place = module.location(parts[1] if len(parts) == 2 else module.header(node))
    return InContext(place, {"name": node.name}, context=context)


def _flattening(node: ast.ClassDef) -> ast.FunctionDef | None:
    """Return the method with which a class flattens itself."""
    methods = (f for f in node.body if isinstance(f, ast.FunctionDef))
    return next((f for f in methods if f.name == "tree_flatten"), None)


def _static_array(module: Module, node: ast.ClassDef) -> ast.AnnAssign | None:
    """Return the static field that holds the array: annotated as one, or the only static one."""
    fields = list(_static_fields(node))
    arrays = [f for f in fields if _is_array_annotation(module.text(f.annotation))]
    chosen = arrays or fields
    return chosen[0] if len(chosen) == 1 else None


def _is_array_annotation(annotation: str) -> bool:
    return bool(_ARRAY.search(annotation) or _JAXTYPING.search(annotation))


def _static_fields(node: ast.ClassDef) -> list[ast.AnnAssign]:
    fields = [field for field in node.body if isinstance(field, ast.AnnAssign)]
    return [f for f in fields if isinstance(f.value, ast.Call) and _is_static(f.value)]


def _is_static(field: ast.Call) -> bool:
    """Return whether a field is declared static, as Equinox, JAX and Flax have it."""
    static, node = keyword_value(field, "static"), keyword_value(field, "pytree_node")
    held = [value for name, value in _options(keyword_value(field, "metadata")) if name == "static"]
    is_static = any(getattr(value, "value", None) is True for value in (static, *held))
    return is_static or getattr(node, "value", None) is False


def _options(made: ast.expr | None) -> Iterator[tuple[str | None, ast.expr]]:
    """Yield the entries of a dict that is written out, as a display or as a call."""
    match made:
        case ast.Call(keywords=keywords):
            yield from ((k.arg, k.value) for k in keywords)
        case ast.Dict(keys=keys, values=values):
            yield from ((getattr(k, "value", None), v) for k, v in zip(keys, values, strict=True))


def as_data(found: InContext) -> Drafts:
    """Let the field be data. It is not certain: a gradient then has an entry for it."""
    made = found.field.value if isinstance(found, StaticArray) else None
    is_only_static = isinstance(made, ast.Call) and len(made.keywords) == 1 and not made.args
    if isinstance(found, StaticArray) and is_only_static:
        yield Draft(found.home).replace(found.field, found.facts["detail"])


RULES = (Rule("array-in-metadata", raised(array_in_metadata), as_data),)
