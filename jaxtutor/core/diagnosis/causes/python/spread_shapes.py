"""Matches and fixes shapes that are passed to jax.random size by size."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.values import is_zero


def shape_spread(context: FailureContext) -> AtCall | None:
    """The sizes of a shape are passed one by one, so the second is taken for the dtype."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or len(call.node.args) != 3:
        return None
    sizes = call.node.args[1:]
    # A range beginning at 0, as in `uniform(key, 0, 1)`, is not a shape.
    unlike = [s for s in sizes if isinstance(s, ast.Tuple | ast.List | ast.Starred) or is_zero(s)]
    is_spread = not unlike
    return replace(call, facts={"function": call.path}) if is_spread else None


def shape_tuple(found: AtCall) -> Drafts:
    """Pass the shape as one tuple."""
    first, second = found.node.args[1:3]
    draft = Draft(found.module).before(first, "(")
    yield draft.after(second, ")").certain()


RULES = (Rule("random-shape-spread", raised(shape_spread), shape_tuple),)
