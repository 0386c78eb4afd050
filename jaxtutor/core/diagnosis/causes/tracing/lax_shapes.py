"""Matches and fixes operations of `jax.lax` between two shapes, which it does not broadcast."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument

_SHAPE = re.compile(r"\((\d[\d, ]*|)\)")
_BROADCASTING = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "max": "maximum",
    "min": "minimum",
    "pow": "power",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "select": "where",
}
"""The functions of `jax.lax` with the functions of `jnp` that broadcast."""

Shape = tuple[int, ...]


class UnlikeShapes(AtCall, frozen=True, kw_only=True):
    """A call of `jax.lax` with two shapes; `shapes` are those of the operands, a mask first."""

    shapes: tuple[Shape, ...]
    broadcasting: str


def unlike_shapes(context: FailureContext) -> UnlikeShapes | None:
    """An operation of `jax.lax` gets arrays of two shapes."""
    call = at_call(context)
    home, _, name = (call.path if call is not None else "").rpartition(".")
    if call is None or home != "jax.lax" or name not in _BROADCASTING:
        return None
    shapes = tuple(_parsed_shape(said) for said in _SHAPE.findall(context.message))
    mask = argument(call.node, 0, "pred") if name == "select" else None
    facts = {
        "name": call.module.text(call.node.func),
        "detail": joined(f"({', '.join(map(str, s))}{',' * (len(s) == 1)})" for s in shapes),
        "argument": f"jnp.{_BROADCASTING[name]}",
        "condition": call.module.text(mask) if mask is not None else "",
    }
    is_mask = mask is not None and "`which`" in context.message and len(shapes) == 2
    return UnlikeShapes(
        None,
        facts,
        "rows" if is_mask and _is_leading(*shapes) else "",
        context=context,
        node=call.node,
        shapes=shapes,
        broadcasting=_BROADCASTING[name],
    )


def _parsed_shape(said: str) -> Shape:
    return tuple(int(size) for size in said.split(",") if size.strip())


def _is_leading(mask: Shape, cases: Shape) -> bool:
    """Return whether a mask has one element for each row, and fits nothing else."""
    return len(mask) == 1 and cases[:1] == mask and cases[-1:] != mask


def broadcast(found: UnlikeShapes) -> Drafts:
    """Choose row by row where the mask has one element for each row; else let jnp broadcast."""
    draft, func = Draft(found.module).certain(), found.node.func
    if found.form == "rows":
        if not found.node.keywords:
            yield draft.wrap(func, f"{draft.name('jax.vmap')}(", ")")
    elif not found.node.keywords:
        yield draft.replace(func, draft.name(f"jax.numpy.{found.broadcasting}"))


RULES = (Rule("lax-shapes-differ", raised(unlike_shapes), broadcast),)
