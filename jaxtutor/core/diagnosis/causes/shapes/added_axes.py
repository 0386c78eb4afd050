"""Matches and fixes indices of `take_along_axis` that lack the axis in which they choose."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument

_RANKS = re.compile(r"indices and arr must have the same number of dimensions; (\d+) vs\. (\d+)")


class FlatIndices(AtCall, frozen=True, kw_only=True):
    """Indices that have one axis fewer than the array they choose from, and them with that axis.

    `is_squeezed` says that the program takes the axis away again: `.squeeze(-1)` or `[..., 0]`.
    """

    indices: ast.expr
    written: str
    axis: int
    is_squeezed: bool


def flat_indices(context: FailureContext) -> FlatIndices | None:
    """One index for each row is passed, without the axis that the indices lie along."""
    call, said = at_call(context), _RANKS.search(context.message)
    if call is None or said is None or int(said[1]) + 1 != int(said[2]):
        return None
    if not call.path.endswith(".take_along_axis"):
        return None
    indices, axis = argument(call.node, 1, "indices"), argument(call.node, 2, "axis")
    number = (
        _literal_integer(axis) if axis is not None else -1
    )  # the last axis, unless one is named
    if indices is None or number is None:
        return None
    written = _with_axis(call.module, indices, number, int(said[2]))
    facts = {
        "name": call.module.text(indices),
        "argument": written,
        "detail": f"{said[1]} {'axis' if said[1] == '1' else 'axes'}",
        "condition": said[2],
    }
    return FlatIndices(
        None,
        facts,
        "indices",
        context=context,
        node=call.node,
        indices=indices,
        written=written,
        axis=number,
        is_squeezed=_is_squeezed(call),
    )


def _literal_integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def _with_axis(module: Module, indices: ast.expr, axis: int, count: int) -> str:
    """Write the indices with an axis of size 1 where the array has the one that they choose in."""
    text = module.text(indices)
    if axis in (-1, count - 1) and isinstance(indices, ast.Name | ast.Attribute | ast.Subscript):
        return f"{text}[{':' if count == 2 else '...'}, None]"
    return f"jnp.expand_dims({text}, {axis})"


def _is_squeezed(call: AtCall) -> bool:
    """Return whether what the call returns loses an axis: itself, or the name that it is given."""
    module, node = call.module, call.node
    statement = module.parents.get(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    name = target.id if isinstance(target, ast.Name) else ""
    for outer in ast.walk(call.frame.function or module.tree):
        if not isinstance(outer, ast.Attribute | ast.Subscript):
            continue
        is_result = outer.value is node or (name and getattr(outer.value, "id", "") == name)
        if is_result and getattr(outer, "attr", "squeeze") == "squeeze":
            return True
    return False


def add_axis(found: AtFrame) -> Drafts:
    """Give the indices the axis that they lack, and take it from the result."""
    if not isinstance(found, FlatIndices):
        return
    draft = Draft(found.module)
    text = found.written.replace("jnp.", f"{draft.name('jax.numpy')}.", 1)
    draft.replace(found.indices, text)
    yield (
        draft.certain() if found.is_squeezed else draft.after(found.node, f".squeeze({found.axis})")
    )
