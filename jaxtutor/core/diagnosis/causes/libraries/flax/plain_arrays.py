"""Finds arrays of Flax modules that look like parameters, and that no optimizer ever changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.equinox.plain_numbers import (
    is_weight,
    make_array,
    read_plain_numbers,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import Read, Rule, by_match
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.words import KEPT_ARRAYS, has_word

_MADE = ("jax.numpy.zeros", "jax.numpy.ones")
_NUMBERS = ("jax.numpy.array", "jax.numpy.asarray", "jax.numpy.float32")
_TRAINING = ("flax.nnx.grad", "flax.nnx.value_and_grad", "flax.nnx.Optimizer")
_FILTER_PLACES = {"flax.nnx.Optimizer": 2, "flax.nnx.DiffState": 1}
"""Calls that select what is trained, and the position of the filter."""


def read_plain_arrays(module: Module) -> Iterator[CallFinding]:
    """Yield zeros and ones that a trained module of NNX keeps as plain arrays and computes with."""
    paths = {module.dotted(n.func) for n in module.calls}
    if not paths & set(_TRAINING) or _trains_others(module):
        return
    for class_ in (n for n in module.nodes if isinstance(n, ast.ClassDef)):
        if not any(module.dotted(base) == "flax.nnx.Module" for base in class_.bases):
            continue
        for statement in ast.walk(class_):
            kept = _kept_array(module, statement)
            if kept is not None and is_weight(module, class_, kept[0]):
                name, made = kept
                facts = {"name": f"self.{name}", "argument": module.text(made)}
                yield CallFinding(module=module, node=made, facts=facts)


def _trains_others(module: Module) -> bool:
    """Return whether a filter other than `nnx.Param` selects what is trained: it may see arrays."""
    filters = [
        argument(node, _FILTER_PLACES[path], "wrt" if path == "flax.nnx.Optimizer" else "filter")
        for node in module.calls
        if (path := module.dotted(node.func) or "") in _FILTER_PLACES
    ]
    given = [module.dotted(node) for node in filters if node is not None]
    return any(path != "flax.nnx.Param" for path in given)


def _kept_array(module: Module, node: ast.AST) -> tuple[str, ast.Call] | None:
    """Return the attribute that `__init__` sets to zeros or ones, which change nothing by use.

    The call that makes them comes with it.
    """
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
            value=ast.Call() as made,
        ):
            is_start = getattr(module.function(node), "name", "") == "__init__"
            is_kept = has_word(name, KEPT_ARRAYS)
            is_found = is_start and not is_kept and _is_neutral(module, made)
            return (name, made) if is_found else None
    return None


def _is_neutral(module: Module, call: ast.Call) -> bool:
    """Return whether a call makes zeros or ones, not of integers or booleans."""
    path = module.dotted(call.func)
    named = [module.text(n) for n in (*call.args[1:], *(k.value for k in call.keywords))]
    if any("int" in text or "bool" in text for text in named):
        return False
    if path in _MADE:
        return True
    value = call.args[0] if path in _NUMBERS and call.args else None
    return isinstance(value, ast.Constant) and value.value in (0.0, 1.0) and _is_float(value)


def _is_float(node: ast.Constant) -> bool:
    return type(node.value) is float


def make_parameter(found: CallFinding) -> Drafts:
    """Keep the array as a parameter, which the gradient and the optimizer see."""
    draft = Draft(found.module)
    yield draft.wrap(found.node, f"{draft.name('flax.nnx.Param')}(", ")")


RULES = (
    Rule(
        "array-never-trained",
        Read((read_plain_arrays, read_plain_numbers)),
        by_match(make_parameter, make_array),
    ),
)
