"""Matches shapes that are traced, or that an empty array leaves open."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.families.sizes.demands import (
    NOT_CONCRETE,
    blame,
    is_from_data,
    static_demand,
)
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, at_call, at_frame


def shape_argument(context: FailureContext) -> AtFrame | None:
    """A shape, a size or a number of things is traced."""
    if _repeats_list(context):
        return at_frame(context)
    demand = static_demand(context)
    found = blame(demand, demand.traced_size()) if demand is not None else None
    return replace(found, form="data") if found is not None and is_from_data(context) else found


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
    name = getattr(found.node.func, "attr", "") if found is not None else ""
    if found is None or name != "reshape" or not context.failure.jax_frames:
        return None
    given = found.node.args[1 if found.path.startswith("jax.") else 0 :]
    items = [i for a in given for i in (a.elts if isinstance(a, ast.Tuple | ast.List) else [a])]
    sizes = [item for item in items if not isinstance(item, ast.UnaryOp)]
    held = [size for size in sizes if not isinstance(size, ast.Constant)] or sizes
    facts = {"name": found.module.text(held[0])} if len(held) == 1 else {}
    return replace(found, facts=facts)
