"""Finds states of Equinox models that come out of a `vmap` with an axis of examples."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import transformation
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_none

_IN_AXES = 1


def read_states(module: Module) -> Iterator[CallFinding]:
    """Yield the maps whose one state goes in for all examples, and comes out for each."""
    if not any(path.startswith("equinox") for path in module.imports.values()):
        return
    for node in module.nodes:
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=[_, ast.Name(id=name)])], value=ast.Call() as call
            ):
                mapped = _map_of(module, call, name)
                if mapped is not None:
                    facts = {"name": name, "line": str(node.lineno)}
                    yield CallFinding(module=module, node=mapped, facts=facts)


def _map_of(module: Module, call: ast.Call, name: str) -> ast.Call | None:
    """Return the `vmap` with a named axis that a call goes through, if it does not map a name."""
    made = bound_value(module, call.func)
    if not isinstance(made, ast.Call) or transformation(module, made.func) != "vmap":
        return None
    axes = argument(made, _IN_AXES, "in_axes")
    is_named = keyword_of(made, "axis_name") is not None and keyword_of(made, "out_axes") is None
    if not is_named or not isinstance(axes, ast.Tuple) or len(made.args) > _IN_AXES + 1:
        return None
    for value, axis in zip(call.args, axes.elts, strict=False):
        is_whole = is_none(axis)
        if is_whole and isinstance(value, ast.Name) and value.id == name:
            return made
    return None


def keep_one_state(found: CallFinding) -> Drafts:
    """Let one state come out for all examples."""
    yield add_argument(Draft(found.module).certain(), found.node, "out_axes=(0, None)")


RULES = (Rule("state-with-batch-axis", read(read_states), keep_one_state),)
