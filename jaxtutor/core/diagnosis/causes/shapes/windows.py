"""Matches and fixes one number in the place of one number for each axis."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.libraries.numpyro.plates import plates_around
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text, without_keyword
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument, method_of
from jaxtutor.core.diagnosis.reading.library_calls import known_fact
from jaxtutor.core.diagnosis.reading.shapes import rank

_POOLS = {"window_shape": 1, "strides": 2}
_CONVOLUTIONS = {"window_strides": 2, "lhs_dilation": 4, "rhs_dilation": 5}
_PARAMETERS: dict[str, tuple[dict[str, int], int]] = {
    **{
        f"{home}.{name}": (_POOLS, 2)
        for home in ("flax.linen", "flax.linen.pooling", "flax.nnx", "flax.nnx.nn.pooling")
        for name in ("max_pool", "min_pool", "avg_pool")
    },
    "jax.lax.conv": (_CONVOLUTIONS, 2),
    "jax.lax.conv_general_dilated": (_CONVOLUTIONS, 2),
    "jax.lax.reduce_window": ({"window_dimensions": 3, "window_strides": 4}, 0),
    "jax.lax.dynamic_slice": ({"start_indices": 1, "slice_sizes": 2}, 0),
    "jax.lax.dynamic_update_slice": ({"start_indices": 2}, 0),
    "jax.lax.slice": ({"start_indices": 1, "limit_indices": 2, "strides": 3}, 0),
    "jax.lax.broadcast": ({"sizes": 1}, 0),
    **{
        f"haiku.{home}{name}": ({"shape": 1}, 0)
        for home in ("", "_src.base.")
        for name in ("get_parameter", "get_state")
    },
    "expand": ({"batch_shape": 0}, 0),
    "sample": ({"sample_shape": 1}, 0),
    "numpyro.sample": ({"sample_shape": 4}, 0),
    "numpyro.primitives.sample": ({"sample_shape": 4}, 0),
}
"""The parameters that take one number for each axis, and how many axes of the input have none."""


_SHAPES = ("broadcast", "get_parameter", "get_state", "expand", "sample")
"""Functions that take a whole shape, for which one number stands for one axis."""


class OneForAll(AtCall, frozen=True, kw_only=True):
    """A call that passes numbers where it takes sequences; `count` is their length, if known.

    A plate around it that draws as many already makes the `repeated` argument one too many.
    """

    numbers: tuple[ast.expr, ...]
    count: int
    repeated: ast.keyword | None = None


def number_for_sizes(context: FailureContext) -> OneForAll | None:
    """A function that takes one number for each axis gets a single one."""
    call = at_call(context)
    known, apart = _PARAMETERS.get(_function_path(call), ({}, 0)) if call is not None else ({}, 0)
    if call is None or not known:
        return None
    given = [(name, argument(call.node, position, name)) for name, position in known.items()]
    numbers = [(name, n) for name, n in given if n is not None and _is_one_number(call, n)]
    if not numbers:
        return None
    is_shape = _function_path(call).endswith(_SHAPES)
    count = 1 if is_shape else _axis_count(call) - apart
    first = call.module.text(numbers[0][1])
    facts = {
        "name": first,
        "function": call.module.text(call.node.func),
        "argument": numbers[0][0],
        "detail": tuple_text([first] * count) if count > 0 else f"({first}, {first})",
    }
    place = call.frame.place(call.node)
    is_in_plate = numbers[0][0] == "sample_shape" and bool(plates_around(call.frame))
    return OneForAll(
        place,
        facts,
        "in_plate" if is_in_plate else "shape" if is_shape else "",
        context=context,
        node=call.node,
        numbers=tuple(n for _, n in numbers),
        count=count,
        repeated=_repeated(call, numbers[0][1]) if is_in_plate else None,
    )


def _repeated(call: AtCall, size: ast.expr) -> ast.keyword | None:
    """Return the argument that draws as often as a plate around it does."""
    sizes = [argument(plate, 1, "size") for plate in plates_around(call.frame)]
    if call.module.text(size) not in [call.module.text(s) for s in sizes if s is not None]:
        return None
    return next((k for k in call.node.keywords if k.value is size), None)


def _function_path(call: AtCall) -> str:
    """Return the path of the function that a call calls; the name of a distribution's method."""
    is_known = call.path in _PARAMETERS or call.context.library != "numpyro"
    method = "" if is_known else method_of(call.node)
    return method if method in ("expand", "sample") else call.path


def _is_one_number(call: AtCall, node: ast.expr) -> bool:
    fact = call.frame.fact(node)
    if fact is not None:
        return fact.kind == "number" or fact.detail.endswith("[]")
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
            return isinstance(index, ast.Constant | ast.UnaryOp)
        case ast.Attribute(attr=name):
            return name in ("ndim", "size")
        case ast.Call(func=ast.Name(id=name)):
            return name in ("len", "int")
        case ast.BinOp(left=left, right=right):
            return _is_one_number(call, left) and _is_one_number(call, right)
    return False


def _axis_count(call: AtCall) -> int:
    """Count the axes of the first argument; 0 where they are not known."""
    given = call.node.args[0] if call.node.args else None
    fact = known_fact(call.context, call.frame, given)
    return rank(fact.detail) if fact is not None else 0


def tuples_of_sizes(found: OneForAll) -> Drafts:
    """Pass the number once for each axis."""
    if found.count < 1:
        return
    draft = Draft(found.module)
    if found.repeated is not None:
        text = without_keyword(found.module, found.node, found.repeated)
        yield draft.certain().replace(found.node, text)
        return
    is_written = all(isinstance(n, ast.Constant) for n in found.numbers)
    # Inside a plate, it may be that only the plate's own draws are meant.
    if found.form != "in_plate" and (found.count == 1 or is_written):
        draft.certain()
    for node in found.numbers:
        draft.replace(node, tuple_text([found.module.text(node)] * found.count))
    yield draft


RULES = (Rule("number-for-sizes", raised(number_for_sizes), tuples_of_sizes),)
