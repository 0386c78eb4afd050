"""Describes the calls of mapped models that lack a key for each example."""

from __future__ import annotations

import ast

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import add_argument, fresh_name
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import applied, transformation
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import bound_value


class MappedCall(Struct, frozen=True):
    """A call of what vmap made; `maps` are the vmaps around the function, the outermost first.

    `function` is the learner's function that is mapped, if that one calls the model.
    """

    module: Module
    call: ast.Call
    maps: tuple[ast.Call, ...]
    function: FunctionNode | None = None


def mapped_call(module: Module, call: ast.Call) -> MappedCall | None:
    """Return the mapped call that a call of a model is, or in whose function it stands."""
    maps = _maps_around(module, call.func)
    return MappedCall(module, call, maps) if maps else _around(module, call)


def _maps_around(module: Module, func: ast.expr) -> tuple[ast.Call, ...]:
    """List the vmaps that a called function is wrapped in, the outermost first."""
    found: list[ast.Call] = []
    value: ast.expr | None = bound_value(module, func)
    while isinstance(value, ast.Call) and transformation(module, value.func) == "vmap":
        found.append(value)
        value = bound_value(module, value.args[0]) if value.args else None
    return tuple(found)


def _around(module: Module, call: ast.Call) -> MappedCall | None:
    """Return the call of the vmap of the function in which a call stands, if there is just one."""
    function = module.function(call)
    if function is None:
        return None
    items = [a.node for a in applied(module) if a.kind == "vmap" and a.function is function]
    # Of nested maps, the outermost is the function that is called.
    outer = [n for n in items if module.parents.get(n) not in items]
    whole = module.parents.get(outer[0]) if len(outer) == 1 else None
    if not isinstance(whole, ast.Call) or whole.func is not outer[0]:
        return None
    maps = tuple(n for n in reversed(items) if isinstance(n, ast.Call))
    return MappedCall(module, whole, maps, function)


def keys_needed(found: MappedCall, key: str) -> str:
    """Write a key for each example, split from one key; empty if their number is not written."""
    size = _number_of_examples(found)
    split = Draft(found.module).name("jax.random.split")
    return f"{split}({key}, {size})" if size else ""


def _number_of_examples(found: MappedCall) -> str:
    """Write how many examples a call maps over: `x.shape[0]`, or `x.shape[:2]` for two maps."""
    count = len(found.maps)
    for position, given in enumerate(found.call.args):
        axes = [_axis(found.module, mapping, position) for mapping in found.maps]
        if not isinstance(given, ast.Name | ast.Attribute | ast.Subscript) or None in axes:
            continue
        text = found.module.text(given)
        if count == 1:
            return f"{text}.shape[{axes[0]}]"
        if not any(axes):
            return f"{text}.shape[:{count}]"
    return ""


def _axis(module: Module, mapping: ast.Call, position: int) -> int | None:
    """Return the axis along which a vmap maps an argument, where it is written out."""
    axes = argument(mapping, 1, "in_axes")
    if axes is None:
        return 0
    if isinstance(axes, ast.Tuple | ast.List):
        axes = axes.elts[position] if position < len(axes.elts) else None
    if isinstance(axes, ast.Call) and module.dotted(axes.func) == "equinox.if_array":
        axes = axes.args[0] if axes.args else None
    value = axes.value if isinstance(axes, ast.Constant) else None
    return value if isinstance(value, int) else None


def split_for_examples(found: MappedCall, call: ast.Call, keyword: str, key: str) -> Draft | None:
    """Pass a key for each example to a mapped model, by `keyword` of its call."""
    keys = keys_needed(found, key)
    draft = Draft(found.module)
    if not keys or "." in key:
        return None
    if found.function is None:
        return add_argument(draft, call, f"{keyword}={keys}")
    own = parameters(found.function)
    is_plain = len(own) == len(found.call.args) and own == found.function.args.args
    if not is_plain or not own or found.call.keywords or _has_axes(found):
        return None
    name = fresh_name(found.module, "one_key", "example_key")
    draft.after(own[-1], f", {name}")
    add_argument(draft, call, f"{keyword}={name}")
    return draft.after(found.call.args[-1], f", {keys}")


def _has_axes(found: MappedCall) -> bool:
    """Return whether a vmap names the axes of its arguments."""
    return any(argument(mapping, 1, "in_axes") is not None for mapping in found.maps)
