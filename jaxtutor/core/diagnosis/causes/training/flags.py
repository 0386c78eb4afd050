"""Finds layers whose flag for evaluation gets the flag for training, or the other way round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import is_assignment_to, last_name, last_part
from jaxtutor.core.diagnosis.words import EVALUATION_FLAGS, TRAINING_FLAGS

_EVALUATING = ("deterministic", "use_running_average", "inference")
_TRAINING = ("is_training", "train", "training")
_LAYERS = (
    "flax.linen.Dropout", "flax.linen.BatchNorm", "flax.nnx.Dropout", "flax.nnx.BatchNorm",
    "equinox.nn.Dropout", "equinox.nn.inference_mode", "equinox.tree_inference",
    "haiku.BatchNorm",
)  # fmt: skip


def read_flags(module: Module) -> Iterator[ExpressionFinding]:
    """Yield each flag of a layer that gets the value which a flag of the opposite sense has."""
    for call in module.calls:
        for keyword, value in _flags(module, call):
            name = path_of(value)
            opposite = TRAINING_FLAGS if keyword in _EVALUATING else EVALUATION_FLAGS
            if name is None or last_part(name) not in opposite:
                continue
            if not _is_reversed_too(module, keyword) and not _is_bound_to_opposite(module, value):
                yield ExpressionFinding(module=module, node=value, facts={"name": keyword})


def _flags(module: Module, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the flags of modes that a call of a layer gets, by their names."""
    layer = _layer(module, call)
    if not layer:
        return
    for keyword in call.keywords:
        if keyword.arg in _EVALUATING or keyword.arg in _TRAINING:
            yield keyword.arg, keyword.value
    is_called = module.dotted(call.func) is None  # a layer that runs, not its class
    if is_called and layer == "flax.linen.Dropout" and len(call.args) > 1:
        yield "deterministic", call.args[1]
    if is_called and layer == "flax.linen.BatchNorm" and len(call.args) > 1:
        yield "use_running_average", call.args[1]
    if layer.startswith("equinox.") and "inference" in layer and len(call.args) > 1:
        yield "inference", call.args[1]


def _layer(module: Module, call: ast.Call) -> str:
    """Return the library's layer that a call makes, or runs: `nn.Dropout(0.1)(x, …)`."""
    made = call.func if isinstance(call.func, ast.Call) else call
    path = module.dotted(made.func) or ""
    if path in _LAYERS:
        return path
    name = path_of(call.func) or ""
    owner, _, attribute = name.partition(".")
    if owner != "self" or not attribute:
        return ""
    values = [
        s.value for s in module.nodes if isinstance(s, ast.Assign) and is_assignment_to(s, name)
    ]
    paths = {module.dotted(v.func) or "" for v in values if isinstance(v, ast.Call)}
    return next(iter(paths)) if len(paths) == 1 and paths <= set(_LAYERS) else ""


def _is_reversed_too(module: Module, keyword: str) -> bool:
    """Return whether a file negates the flag elsewhere, so that two inversions may cancel."""
    negated = (n.operand for n in module.nodes if isinstance(n, ast.UnaryOp))
    return any(last_name(n) == keyword for n in negated)


def _is_bound_to_opposite(module: Module, value: ast.expr) -> bool:
    """Return whether a name is bound to something negated, whatever its own sense is."""
    if not isinstance(value, ast.Name):
        return False
    bound = module.assignments(value.id, module.scope(value))
    return any(isinstance(n, ast.UnaryOp | ast.Compare) for s in bound for n in ast.walk(s))


def negate_flag(found: ExpressionFinding) -> Drafts:
    """Negate the flag."""
    module, node = found.module, found.node
    yield Draft(module).replace(node, f"not {atom(module, node)}")


RULES = (Rule("mode-flag-inverted", read(read_flags, imports=TRAINING), negate_flag),)
