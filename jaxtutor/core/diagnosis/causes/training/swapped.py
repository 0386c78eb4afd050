"""Finds losses of Optax, and updates of NNX, whose two arguments are in the wrong order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.gradients import differentiated_name
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import first_match, matches

_LOSSES = tuple(
    f"{home}.{name}($logits, $labels)"
    for home in ("optax", "optax.losses")
    for name in ("softmax_cross_entropy", "sigmoid_binary_cross_entropy", "poly_loss_cross_entropy")
)
"""Losses that take logits and then labels of the same shape."""


def read_swapped(module: Module) -> Iterator[CallFinding]:
    """Yield the losses whose labels depend on what is differentiated, and whose logits do not."""
    for item in applied(module):
        name = differentiated_name(item)
        if not name or item.function is None:
            continue
        learned = _computed_from(item.function, name)
        for call in calls_in(item.function):
            for given in matches(module, call, *_LOSSES):
                if names_in(given["labels"]) & learned and not names_in(given["logits"]) & learned:
                    facts = {"name": module.text(call.func)}
                    yield CallFinding(None, facts, "loss", module=module, node=call)


def _computed_from(function: FunctionNode, name: str) -> set[str]:
    """Return a name, and the names that a function computes from it."""
    found = {name}
    statements = [n for n in ast.walk(function) if isinstance(n, ast.Assign | ast.AugAssign)]
    for _ in statements:
        found |= {n for s in statements if names_in(s.value) & found for n in bound_names(s)}
    return found


def read_updates(module: Module) -> Iterator[CallFinding]:
    """Yield the updates of an optimizer of NNX that get the gradients first, and then the model."""
    is_made = any(module.dotted(call.func) == "flax.nnx.Optimizer" for call in module.calls)
    if not is_made or any(getattr(f, "name", "") == "update" for f in module.functions):
        return
    for statement in module.nodes:
        if not isinstance(statement, ast.Assign) or not _is_nnx_gradient(module, statement.value):
            continue
        assert isinstance(statement.value, ast.Call)
        target = statement.targets[0]
        grads = target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else target
        models = {path for a in statement.value.args if (path := path_of(a)) is not None}
        for call in ast.walk(module.scope(statement)):
            given = first_match(module, call, "$optimizer.update($first, $second)")
            if not isinstance(call, ast.Call) or given is None:
                continue
            first, second = given["first"], given["second"]
            if path_of(first) == path_of(grads) and path_of(second) in models:
                exchanged = f"{module.text(second)}, {module.text(first)}"
                facts = {"name": module.text(call.func), "argument": exchanged}
                yield CallFinding(None, facts, "nnx", module=module, node=call)


def _is_nnx_gradient(module: Module, node: ast.expr) -> bool:
    """Return whether a call computes a gradient with a transformation of NNX."""
    made = bound_value(module, node.func) if isinstance(node, ast.Call) else None
    path = module.dotted(made.func) if isinstance(made, ast.Call) else ""
    return path in ("flax.nnx.grad", "flax.nnx.value_and_grad")


def swap_arguments(found: CallFinding) -> Drafts:
    """Exchange the two arguments."""
    module, (first, second) = found.module, found.node.args
    draft = Draft(module).replace(first, module.text(second)).replace(second, module.text(first))
    yield draft.certain() if found.form == "nnx" else draft


RULES = (
    Rule(
        "optax-arguments-swapped",
        read(read_swapped, read_updates, imports=TRAINING),
        swap_arguments,
    ),
)
