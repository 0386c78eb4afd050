"""Matches and fixes slices whose bounds are traced."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.tracing.counts import width_between
from jaxtutor.core.diagnosis.causes.tracing.demands import static_demand
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.masks import prefix
from jaxtutor.core.diagnosis.editing.static_arguments import static_source
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import method_owner
from jaxtutor.core.diagnosis.reading.values import is_number


def slice_bounds(context: FailureContext) -> AtNode | None:
    """The bounds of a slice of an array are traced."""
    demand, found = static_demand(context), at_node(context)
    if demand is not None and demand.path in ("jax.lax.slice", "jax.lax.slice_in_dim"):
        return found if demand.traced((1, ()), (2, ()), (None, _BOUNDS)) is not None else None
    if found is None or not is_static_slice(context):
        return None
    subscript = found.node if isinstance(found.node, ast.Subscript) else _subscript_in(found.node)
    if subscript is None or not _has_traced_slice(found.frame, subscript.slice):
        return None
    if isinstance(subscript.value, ast.List | ast.Tuple | ast.ListComp):
        return None
    return None if found.frame.kind(subscript.value) in ("list", "tuple", "str") else found


_BOUNDS = ("start_indices", "limit_indices", "start_index", "limit_index")


def is_static_slice(context: FailureContext) -> bool:
    """Return whether JAX or NumPy refuses the bounds of a slice because they are traced."""
    said = "must be static" in context.message or "must have static" in context.message
    return context.error == "TracerIntegerConversionError" or (
        context.error == "IndexError" and said
    )


def _subscript_in(node: ast.AST) -> ast.Subscript | None:
    """Find the indexed expression in a call of an `.at[...]` method."""
    value = method_owner(node)
    return value if isinstance(value, ast.Subscript) else None


def _has_traced_slice(frame: FrameContext, index: ast.expr) -> bool:
    return any(isinstance(n, ast.Slice) and frame.is_traced(n) for n in ast.walk(index))


def dynamic_slice(found: AtNode) -> Drafts:
    """Write a slice of a static width as a dynamic_slice."""
    frame, node = found.frame, found.node
    yield from _update_slice(frame, node)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield _read_slice(frame, node)
    yield from static_source(found)
    if isinstance(node, ast.Subscript):
        yield prefix(frame, node)


def _axis_indices(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _read_slice(frame: FrameContext, node: ast.Subscript) -> Draft | None:
    module, draft = frame.module, Draft(frame.module)
    found = _window(frame, node)
    if found is None:
        return None
    base = module.text(node.value)
    axis, start, width = found
    if axis is not None:
        where = f", axis={axis}" if axis else ""
        name = draft.name("jax.lax.dynamic_slice_in_dim")
        return draft.replace(node, f"{name}({base}, {start}, {width}{where})")
    name = draft.name("jax.lax.dynamic_slice")
    return draft.replace(node, f"{name}({base}, ({start}), ({width}))")


def _window(frame: FrameContext, node: ast.Subscript) -> tuple[int | None, str, str] | None:
    """Read a slice as the start and width of one axis, or of all (axis None)."""
    base = frame.module.text(node.value)
    windows = [
        _one(frame, part, f"{base}.shape[{n}]") for n, part in enumerate(_axis_indices(node.slice))
    ]
    known = [w for w in windows if w is not None]
    if len(known) < len(windows):
        return None
    moving = [n for n, w in enumerate(known) if not w[2]]
    if len(moving) == 1:
        return moving[0], known[moving[0]][0], known[moving[0]][1]
    comma = "," if len(known) == 1 else ""
    return None, ", ".join(w[0] for w in known) + comma, ", ".join(w[1] for w in known) + comma


def _one(frame: FrameContext, part: ast.expr, whole: str) -> tuple[str, str, bool] | None:
    """Return the start and width of one axis, and whether it is all of it."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return None
    if part.lower is None and part.upper is None:
        return "0", whole, True
    if part.lower is None or part.upper is None:
        return None
    width = width_between(frame, part.lower, part.upper)
    if width is None and is_number(part.lower) and is_number(part.upper):
        width = f"{frame.module.text(part.upper)} - {frame.module.text(part.lower)}"
    return (frame.module.text(part.lower), width, False) if width is not None else None


def _update_slice(frame: FrameContext, node: ast.AST) -> Drafts:
    """Write `x.at[i:i + w].set(v)` as a dynamic update."""
    call = _update_call(frame.module, node)
    subscript = (
        call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    )
    if call is None or not isinstance(subscript, ast.Subscript):
        return
    at = subscript.value
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    found = _window(frame, subscript)
    if found is None or not isinstance(at, ast.Attribute) or len(call.args) != 1:
        return
    module, draft = frame.module, Draft(frame.module)
    axis, start, width = found
    base, value = module.text(at.value), module.text(call.args[0])
    if axis is None or method not in ("set", "add"):
        return
    if method == "add":
        read = (
            f"{draft.name('jax.lax.dynamic_slice_in_dim')}({base}, {start}, {width}, axis={axis})"
        )
        value = f"{read} + {value}"
    elif is_number(call.args[0]):
        value = f"{draft.name('jax.numpy.full')}({width}, {value}, {base}.dtype)"
    name = draft.name("jax.lax.dynamic_update_slice_in_dim")
    yield draft.replace(call, f"{name}({base}, {value}, {start}, axis={axis})")


def _update_call(module: Module, node: ast.AST) -> ast.Call | None:
    """Find the call of an `.at[...]` method at a node or around it."""
    for item in [node, *module.ancestors(node)]:
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
            subscript = item.func.value
            at = subscript.value if isinstance(subscript, ast.Subscript) else None
            if isinstance(at, ast.Attribute) and at.attr == "at":
                return item
        if isinstance(item, ast.stmt):
            return None
    return None


RULES = (Rule("traced-slice-bounds", raised(slice_bounds), dynamic_slice),)
