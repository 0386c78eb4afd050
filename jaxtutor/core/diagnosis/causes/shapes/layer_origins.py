"""Finds the call that makes a layer, and the layer that made its input."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_LAYERS = {
    "flax.nnx.Linear": ("in_features", "out_features"),
    "flax.nnx.LoRALinear": ("in_features", "out_features"),
    "flax.nnx.Conv": ("in_features", "out_features"),
    "flax.nnx.ConvTranspose": ("in_features", "out_features"),
    "flax.nnx.Embed": ("num_embeddings", "features"),
    "equinox.nn.Linear": ("in_features", "out_features"),
}
"""Layers with the names of their first two parameters: the sizes of the input and the output."""

_KEEPS_SIZE = re.compile(
    r"(?:flax\.nnx|equinox\.nn|flax\.linen)\.(?:\w*Norm|Dropout)$"
    r"|(?:jax\.nn|flax\.nnx|flax\.linen)\.(?:relu|gelu|silu|swish|elu|selu|celu|tanh|sigmoid"
    r"|softplus|leaky_relu|relu6|hard_\w+|softmax|log_softmax|\w+_pool)$"
    r"|jax\.numpy\.(?:tanh|sin|cos|exp|abs|square|asarray|array|maximum|minimum)$"
)
"""Functions and layers whose result has as many features as their first argument."""

_FLATTENS = ("ravel", "flatten")


def find_maker(found: AtCall, taken: int) -> ast.Call | None:
    """Find the one call that makes a layer of the size, in what the called name was given."""
    module = found.module
    calls = [
        node
        for value in _values_of(found.frame, found.node.func)
        for node in calls_in(value)
        if module.dotted(node.func) in _LAYERS
    ]
    if len(calls) == 1:
        return calls[0]
    fitting = [c for c in calls if whole_number(input_size(module, c)) == taken]
    return fitting[0] if len(fitting) == 1 else None


def _values_of(frame: FrameContext, func: ast.expr) -> list[ast.expr]:
    """List what a name or an attribute of `self` was given, also as the variable of a loop."""
    module = frame.module
    while isinstance(func, ast.Subscript):
        func = func.value
    if isinstance(func, ast.Name):
        loops = (n for n in ast.walk(frame.function or module.tree) if isinstance(n, ast.For))
        around = [n.iter for n in loops if getattr(n.target, "id", "") == func.id]
        value = around[0] if around else bound_value(module, func)
        return _values_of(frame, value) if around else [value] if value is not func else []
    if isinstance(func, ast.Attribute) and path_of(func.value) == "self":
        return _attribute_values(module, func)
    return []


def _attribute_values(module: Module, attribute: ast.Attribute) -> list[ast.expr]:
    """List what the class around a node assigns to an attribute of `self`."""
    around = (n for n in module.ancestors(attribute) if isinstance(n, ast.ClassDef))
    owner = next(around, None)
    path = path_of(attribute)
    return [
        node.value
        for node in (ast.walk(owner) if owner is not None else ())
        if isinstance(node, ast.Assign) and path in map(path_of, node.targets)
    ]


def input_size(module: Module, made: ast.Call) -> ast.expr | None:
    """Return the expression for the size of a layer's input."""
    return argument(made, 0, _LAYERS[module.dotted(made.func) or ""][0])


def output_size(module: Module, made: ast.Call) -> ast.expr | None:
    """Return the expression for the size of a layer's output."""
    return argument(made, 1, _LAYERS[module.dotted(made.func) or ""][1])


def whole_number(node: ast.expr | None) -> int | None:
    """Return the value of a product or sum of whole numbers that are written out."""
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.BinOp(left=left, op=op, right=right):
            one, other = whole_number(left), whole_number(right)
            if one is None or other is None:
                return None
            match op:
                case ast.Mult():
                    return one * other
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.FloorDiv() if other:
                    return one // other
                case ast.Pow() if 0 <= other < 32:
                    return int(one**other)
    return None


def previous_layer(module: Module, node: ast.expr, depth: int = 12) -> ast.Call | str | None:
    """Follow the input of a layer to the call that makes the layer before it.

    "joined" for an input whose axes were joined, "parameter" for one that the function got.
    """
    if depth == 0:
        return None
    if isinstance(node, ast.Name):
        value = bound_value(module, node)
        if value is not node:
            return previous_layer(module, value, depth - 1)
        function = module.function(node)
        return "parameter" if node.id in set(parameter_names(function)) else None
    if not isinstance(node, ast.Call):
        return None
    path = module.dotted(node.func) or ""
    if _joins_axes(node, path):
        return "joined"
    if _KEEPS_SIZE.match(path) and node.args:
        return previous_layer(module, node.args[0], depth - 1)
    if isinstance(node.func, ast.Attribute) and path_of(node.func.value) == "self":
        return _after_attribute(module, node, node.func, depth)
    return None


def _joins_axes(call: ast.Call, path: str) -> bool:
    """Return whether a call joins axes, so that the size follows from the axes before it."""
    name = method_of(call) or last_part(path)
    last = call.args[-1] if call.args else None
    last = last.elts[-1] if isinstance(last, ast.Tuple | ast.List) and last.elts else last
    is_open = isinstance(last, ast.UnaryOp) and isinstance(last.op, ast.USub)
    return name in _FLATTENS or (name == "reshape" and is_open)


def _after_attribute(
    module: Module, call: ast.Call, func: ast.Attribute, depth: int
) -> ast.Call | str | None:
    """Follow a call of a layer, or of a method of the same class."""
    values = _attribute_values(module, func)
    made = values[0] if len(values) == 1 and isinstance(values[0], ast.Call) else None
    path = module.dotted(made.func) or "" if made is not None else ""
    if made is not None and path in _LAYERS:
        return made
    is_pool = path == "functools.partial" and made is not None and made.args
    inner = module.dotted(made.args[0]) if made is not None and is_pool else path
    if _KEEPS_SIZE.match(inner or "") and call.args:
        return previous_layer(module, call.args[0], depth - 1)
    method = module.function_named(func.attr) if not values else None
    results = [n.value for n in ast.walk(method) if isinstance(n, ast.Return)] if method else []
    result = results[0] if len(results) == 1 else None
    return previous_layer(module, result, depth - 1) if result is not None else None
