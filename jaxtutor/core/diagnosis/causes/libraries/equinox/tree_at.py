"""Matches and fixes calls of `eqx.tree_at` whose `where` names no single node of the tree."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.functions import result_of

_NOT_A_LEAF = re.compile(
    r"is not a leaf of the pytree|does not specify an element|must use just the PyTree structure"
)


class Where(AtFrame, frozen=True, kw_only=True):
    """A call of `tree_at`, in the file `home`; `result` is what its `where` returns, if known."""

    home: Module
    call_of: ast.Call
    result: ast.expr | None


class _Place(NamedTuple):
    frame: FrameContext
    call: ast.Call


def unnamed_node(context: FailureContext) -> Where | None:
    """The `where` of `tree_at` returns None, a part of an array, or what is not in the tree."""
    place = _tree_at(context)
    if place is None:
        return None
    frame, call = place
    module, where = frame.module, argument(call, 0, "where")
    function = resolve(module, where, call) if where is not None else None
    result = result_of(function) if function is not None else None
    form = _form(context, result, call)
    if form is None:
        return None
    facts = {"name": module.text(result if result is not None else where or call)}
    if form == "count" and isinstance(result, ast.Tuple | ast.List):
        value = argument(call, 2, "replace")
        facts["argument"] = module.text(value) if value is not None else "replace"
        facts["detail"] = str(len(result.elts))
    if form == "part" and isinstance(result, ast.Subscript):
        facts["argument"] = module.text(result.value)
        facts["detail"] = module.text(result.slice)
    return Where(
        frame.place(call),
        facts,
        form,
        context=context,
        outer_frame=frame,
        home=module,
        call_of=call,
        result=result,
    )


def _tree_at(context: FailureContext) -> _Place | None:
    """Find the innermost call of `tree_at` among the live frames; a lambda stands inside it."""
    for frame in reversed(context.frames):
        around = [frame.node, *frame.module.ancestors(frame.node)] if frame.node is not None else []
        for node in around:
            if isinstance(node, ast.Call) and frame.callee(node) in _TREE_AT:
                return _Place(frame, node)
    return None


_TREE_AT = ("equinox.tree_at", "equinox._tree.tree_at")


def _form(context: FailureContext, result: ast.expr | None, call: ast.Call) -> str | None:
    """Choose the sentences: None in the tree, a part of a leaf, or something that is not a node."""
    if "sequence of leaves of the same length" in context.message:
        return "count" if isinstance(result, ast.Tuple | ast.List) else None
    if "not uniquely identify" in context.message:
        return None if keyword_of(call, "is_leaf") is not None else ""
    if "_LeafWrapper" in context.message:
        is_part = isinstance(result, ast.Subscript) and "subscriptable" in context.message
        return "part" if is_part else "computed"
    return "computed" if _NOT_A_LEAF.search(context.message) else None


def name_node(found: Where) -> Drafts:
    """Treat None as a leaf, or replace the array by a copy in which the part is set."""
    call, module = found.call_of, found.home
    if not found.form:
        yield add_argument(Draft(module).certain(), call, "is_leaf=lambda leaf: leaf is None")
        return
    value = argument(call, 2, "replace")
    if found.form != "part" or not isinstance(found.result, ast.Subscript) or value is None:
        return
    index, part = module.text(found.result.slice), found.result
    changed = f"replace_fn=lambda leaf: leaf.at[{index}].set({module.text(value)})"
    shown = keyword_of(call, "replace") or value
    draft = Draft(module).certain().replace(part, module.text(part.value))
    yield draft.replace(shown, changed)


RULES = (Rule("tree-at-where", raised(unnamed_node), name_node),)
