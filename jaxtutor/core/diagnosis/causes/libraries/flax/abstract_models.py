"""Matches models of `nnx.eval_shape` that are called before they have values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of

_SHAPES = ("flax.nnx.eval_shape", "flax.nnx.abstract_with_sharding", "jax.eval_shape")


def abstract_model(context: FailureContext) -> InContext | None:
    """A model of `nnx.eval_shape` is used as if it had values."""
    if "ShapeDtypeStruct" not in context.message:
        return None
    found = list(_abstract_assignments(context))
    if len(found) != 1:
        return None
    module, made = found[0]
    name = module.text(made.targets[0])
    scope = module.scope(made)
    restored = [s for s in ast.walk(scope) if isinstance(s, ast.stmt) and _restores(s)]
    last = restored[-1] if len(restored) == 1 else None
    taken = path_of(last.targets[0]) if isinstance(last, ast.Assign) else None
    wrong = _merged_again(module, scope) if taken is not None else None
    facts = {
        "name": name,
        "function": module.text(getattr(made.value, "func", made.value)),
        "argument": taken or "state",
        "condition": module.text(last) if last is not None else "",
    }
    if wrong is not None:
        facts["container"] = module.text(wrong)
    form = "merged" if wrong is not None else "dropped" if isinstance(last, ast.Expr) else ""
    place = module.location(wrong or (last if isinstance(last, ast.Expr) else made))
    return InContext(place, facts, form, context=context)


def _abstract_assignments(context: FailureContext) -> Iterator[tuple[Module, ast.Assign]]:
    """Yield the assignments of models of NNX that were made without values."""
    for module in context.modules.values():
        for node in module.nodes:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            path = module.dotted(node.value.func)
            is_nnx = path in _SHAPES[:2] or (path == _SHAPES[2] and "nnx" in module.text(node))
            if is_nnx and path_of(node.targets[0]) is not None:
                yield module, node


def _restores(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Assign | ast.Expr) and method_of(value) == "restore"


def _merged_again(module: Module, scope: ast.AST) -> ast.expr | None:
    """Return the state that the first `nnx.merge` gets: that of the model without values."""
    merges = (c for c in calls_in(scope) if module.dotted(c.func) == "flax.nnx.merge")
    return next((given for call in merges for given in call.args[1:]), None)


RULES = (Rule("abstract-model-used", raised(abstract_model)),)
