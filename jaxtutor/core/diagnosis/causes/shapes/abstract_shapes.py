"""Matches and fixes shapes that are passed where a description of an array is needed."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.names import bound_value

_STAGING = ("jax.eval_shape", "jax.make_jaxpr")


class BareShapes(AtFrame, frozen=True, kw_only=True):
    """Arguments of a call that stages a function, which are tuples of sizes."""

    shapes: tuple[ast.expr, ...]


def shape_for_struct(context: FailureContext) -> BareShapes | None:
    """A function is staged for a tuple of sizes, which JAX takes for a tuple of numbers."""
    for frame in context.frames[:-1]:
        node = frame.node
        if not isinstance(node, ast.Call) or frame.callee(node) not in _STAGING:
            continue
        inner = context.frames[-1]
        is_read = any(f.kind == "tuple" for f in inner.names.values()) or "tuple" in context.message
        shapes = [a for a in node.args[1:] if _is_sizes(bound_value(frame.module, a))]
        if shapes and is_read:
            facts = {
                "name": frame.module.text(node.func),
                "argument": frame.module.text(shapes[0]),
            }
            place = frame.place(node)
            return BareShapes(
                place, facts, context=context, outer_frame=frame, shapes=tuple(shapes)
            )
    return None


def _is_sizes(node: ast.expr) -> bool:
    """Return whether an argument is a tuple of whole numbers that the program writes out."""
    if not isinstance(node, ast.Tuple) or not node.elts:
        return False
    return all(isinstance(e, ast.Constant) and type(e.value) is int for e in node.elts)


def describe_arrays(found: BareShapes) -> Drafts:
    """Describe an array of each shape, of the default dtype."""
    draft = Draft(found.module)
    struct, dtype = draft.name("jax.ShapeDtypeStruct"), draft.name("jax.numpy.float32")
    for shape in found.shapes:
        draft.replace(shape, f"{struct}({found.module.text(shape)}, {dtype})")
    yield draft


RULES = (Rule("shape-for-struct", raised(shape_for_struct, of_any_class=True), describe_arrays),)
