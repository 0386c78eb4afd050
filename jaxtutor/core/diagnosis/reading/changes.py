"""Reads expressions that compute a new version of a value, which may take its place."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.names import last_part

LIBRARIES = frozenset("jax optax equinox flax haiku numpyro".split())
"""The packages whose functions compute a value and do nothing else."""
_KEPT = {
    0: "clip maximum minimum abs exp log log1p expm1 sqrt square power tanh sin cos sign round "
    "relu gelu silu sigmoid softmax log_softmax softplus standardize nan_to_num stop_gradient "
    "array asarray astype sort flip roll reshape transpose ravel squeeze swapaxes expand_dims "
    "cumsum pad device_put with_sharding_constraint apply_updates tree_at jit "
    "checkpoint remat filter_jit",
    1: "where permutation map tree_map",
}
_PLACES = {name: place for place, names in _KEPT.items() for name in names.split()}
"""Functions whose result is like one of their arguments, and the place of that argument."""
_METHODS = frozenset("astype clip round reshape ravel squeeze copy replace apply_gradients".split())
"""Methods whose result is like what they are called on."""
_DEEPEST = 3
"""So many functions of the learner, one in another, are followed."""


def changed_name(module: Module, value: ast.expr, depth: int = _DEEPEST) -> str:
    """Return the name of which an expression is a new version: `x` of `jnp.clip(x - 1, 0, 1)`.

    A function of the learner counts if its result is a new version of its parameter.
    """
    match value:
        case ast.Name(id=name):
            return name
        case ast.BinOp(left=left, right=right):
            return changed_name(module, left, depth) or changed_name(module, right, depth)
        case ast.UnaryOp(operand=operand):
            return changed_name(module, operand, depth)
        case ast.Call(
            func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(value=array, attr="at")))
        ):
            return changed_name(module, array, depth)
        case ast.Call():
            changed, depth = _changed_argument(module, value, depth)
            return changed_name(module, changed, depth) if changed is not None else ""
    return ""


def _changed_argument(module: Module, call: ast.Call, depth: int) -> tuple[ast.expr | None, int]:
    """Return the argument of which a call returns a new version, and how deep it was found."""
    path = module.dotted(call.func) or ""
    if path.partition(".")[0] in LIBRARIES:
        return _argument_at(call, _PLACES.get(last_part(path))), depth
    if isinstance(call.func, ast.Attribute):
        return (call.func.value if call.func.attr in _METHODS else None), depth
    function = module.function_named(path_of(call.func) or "") if depth else None
    result = result_of(function) if function is not None else None
    changed = changed_name(module, result, depth - 1) if result is not None else ""
    names = parameter_names(function)
    return _argument_at(call, names.index(changed) if changed in names else None), depth - 1


def _argument_at(call: ast.Call, place: int | None) -> ast.expr | None:
    """Return the argument of a call at a place, if it is one expression."""
    if place is None or place >= len(call.args):
        return None
    return None if any(isinstance(a, ast.Starred) for a in call.args) else call.args[place]
