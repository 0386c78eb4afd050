"""Matches shapes that cannot be broadcast together, and fixes what makes them differ."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.libraries.numpyro.plates import (
    group_values,
    in_plate,
    index_groups,
    size_of_data,
)
from jaxtutor.core.diagnosis.causes.libraries.numpyro.subsamples import choose_rows
from jaxtutor.core.diagnosis.causes.shapes.attention_masks import (
    add_head_axis,
    attention_mask,
)
from jaxtutor.core.diagnosis.causes.shapes.last_slices import (
    last_slice,
    leave_short_slice,
)
from jaxtutor.core.diagnosis.causes.shapes.loss_labels import (
    is_loss_of_labels,
    labels_of_other_loss,
    other_loss,
)
from jaxtutor.core.diagnosis.causes.shapes.shape_facts import (
    operand_types,
    shape_of,
    shapes_in,
    values_of_shapes,
)
from jaxtutor.core.diagnosis.causes.shapes.tables import take_rows, unfit_table
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call, at_frame
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES

_BROADCAST = re.compile(r"for broadcasting: (\([\d, ]*\), \([\d, ]*\))")


def where_shapes(context: FailureContext) -> AtCall | None:
    """A jnp.where over one boolean chooses between two shapes."""
    call = at_call(context)
    shapes = re.search(r"\[\(([\d, ]+)\), \(([\d, ]+)\)\]$", context.message)
    if call is None or call.path != "jax.numpy.where" or shapes is None or len(call.node.args) != 3:
        return None
    test = call.node.args[0]
    is_one = isinstance(test, ast.Compare) and all(
        isinstance(part, ast.Constant) or _is_scalar(call.frame, part)
        for part in (test.left, *test.comparators)
    )
    facts = {"condition": call.module.text(test)}
    facts |= {"argument": f"({shapes[1]})", "container": f"({shapes[2]})"}
    return replace(call, facts=facts) if is_one or _is_scalar(call.frame, test) else None


def _is_scalar(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    return fact is not None and (fact.kind == "number" or fact.detail.endswith("[]"))


def broadcast(context: FailureContext) -> AtFrame | None:
    """Two shapes cannot be broadcast together."""
    in_loop = context.passed_through("scan", "while_loop", "cond", "shard_map")
    if in_loop:
        return None
    special = attention_mask(context) or unfit_table(context)
    if special is not None:
        return special
    found = at_frame(context)
    if found is not None and found.call is not None and is_loss_of_labels(found.frame, found.call):
        return labels_of_other_loss(context, found.frame, found.call)
    said = _BROADCAST.search(context.message)
    if found is not None and said is not None and context.library == "optax":
        return replace(found, form="leaves", facts={"detail": said[1].replace("), (", ") and (")})
    if found is not None and context.passed_through("plate.process_message"):
        return in_plate(context, found)
    if found is None:
        return None
    return last_slice(context) or group_values(context, found) or _operands_of(context, found)


def _operands_of(context: FailureContext, found: AtFrame) -> AtFrame:
    """Add the types of the operands, or the values of these shapes that went into a call."""
    shapes = shapes_in(context.message)
    types = operand_types(found.frame, found.at)
    detail = types or joined(shapes)
    if not detail:
        return found
    passed = {name.partition(".")[0] for name in context.failure.jax_frames}
    is_inside = found.call is not None and bool(passed & PACKAGES)
    values = ", ".join(values_of_shapes(context, shapes)) if is_inside else ""
    facts = {"detail": detail, "argument": values}
    form = "inside_named" if values else "inside" if is_inside else "operands"
    return replace(found, form=form, facts=facts)


def fit_shapes(found: AtFrame) -> Drafts:
    """Write `x[:, None]` for a vector that belongs to the first axis of a matrix."""
    node = found.at
    if not isinstance(node, ast.BinOp):
        return
    for vector, matrix in ((node.left, node.right), (node.right, node.left)):
        sizes, others = shape_of(found.frame, vector), shape_of(found.frame, matrix)
        if len(sizes) == 1 and len(others) == 2 and sizes[0] == others[0]:
            yield Draft(found.module).replace(vector, f"{atom(found.module, vector)}[:, None]")


RULES = (
    Rule("where-between-shapes", raised(where_shapes), before=("shape-mismatch-broadcast",)),
    Rule(
        "shape-mismatch-broadcast",
        raised(broadcast),
        by_match(
            fit_shapes,
            leave_short_slice,
            other_loss,
            add_head_axis,
            size_of_data,
            choose_rows,
            index_groups,
            take_rows,
        ),
    ),
)
