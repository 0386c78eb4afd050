"""Matches shapes that are traced, or that an empty array leaves open."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.tracing.demands import (
    NOT_CONCRETE,
    blame,
    is_from_data,
    static_demand,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.static_arguments import static_source
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in, method_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

_SAME_IN_NUMPY = frozenset({"max", "min", "sum", "prod"})
"""Reductions of integers that have the same result in NumPy."""


class TracedPlateSize(AtCall, frozen=True, kw_only=True):
    """A plate of NumPyro with the traced `size`."""

    size: ast.expr


def shape_argument(context: FailureContext) -> AtFrame | None:
    """A shape, a size or a number of things is traced."""
    if _repeats_list(context):
        return at_frame(context)
    if (plate := _plate_size(context)) is not None:
        return plate
    demand = static_demand(context)
    found = blame(demand, demand.traced_size()) if demand is not None else None
    return replace(found, form="data") if found is not None and is_from_data(context) else found


def _plate_size(context: FailureContext) -> TracedPlateSize | None:
    """Return a plate of NumPyro whose size is traced, as all that a model computes with jnp is."""
    found = at_call(context)
    if found is None or found.path != "numpyro.plate" or context.error not in NOT_CONCRETE:
        return None
    size = argument(found.node, 1, "size")
    if size is None or not found.frame.is_traced(size):
        return None
    return TracedPlateSize(
        None,
        {"argument": found.module.text(size)},
        "plate",
        context=context,
        node=found.node,
        size=size,
    )


def size_on_host(found: AtFrame) -> Drafts:
    """Compute the size of a plate with NumPy, or make the argument that decides a size static."""
    if not isinstance(found, TracedPlateSize):
        yield from static_source(found)
        return
    module = found.module
    value = bound_value(module, found.size)
    for node in calls_in(value):
        path = module.dotted(node.func) or ""
        name = method_of(node)
        draft = Draft(module).certain() if name in _SAME_IN_NUMPY else Draft(module)
        if path.startswith("jax.numpy."):
            yield draft.replace(node.func, draft.name(path.replace("jax.numpy", "numpy")))
        elif isinstance(node.func, ast.Attribute) and path_of(node.func.value) is not None:
            yield draft.wrap(node.func.value, f"{draft.name('numpy.asarray')}(", ")")


def _repeats_list(context: FailureContext) -> bool:
    """Return whether a list is repeated a traced number of times: `[0.0] * n`."""
    node = context.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    said = "unsupported operand type(s) for *" in context.message or context.error in NOT_CONCRETE
    is_list = isinstance(node.left, ast.List | ast.Tuple)
    count = node.right if is_list else node.left
    fact = context.frame.fact(count) if context.frame is not None else None
    is_count = fact is None or fact.detail.endswith("[]")
    is_list = is_list or isinstance(node.right, ast.List | ast.Tuple)
    return said and is_list and is_count and context.failure.tracer is not None


def reshape_around_zero(context: FailureContext) -> AtCall | None:
    """A reshape has -1 next to a size that is 0."""
    found = at_call(context)
    name = method_of(found.node) if found is not None else ""
    if found is None or name != "reshape" or not context.failure.jax_frames:
        return None
    given = found.node.args[1 if found.path.startswith("jax.") else 0 :]
    items = [i for a in given for i in (elements_or_itself(a))]
    sizes = [item for item in items if not isinstance(item, ast.UnaryOp)]
    held = [size for size in sizes if not isinstance(size, ast.Constant)] or sizes
    facts = {"name": found.module.text(held[0])} if len(held) == 1 else {}
    return replace(found, facts=facts)


RULES = (
    Rule("traced-shape-arg", raised(shape_argument), size_on_host),
    Rule("reshape-around-zero", raised(reshape_around_zero)),
)
