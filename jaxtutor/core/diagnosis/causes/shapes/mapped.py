"""Matches and fixes `jax.tree.map(f, a, b)` where the first tree is a single number."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.library_calls import in_sight

_MAPS = ("jax.tree.map", "jax.tree_util.tree_map", "jax._src.tree_util.tree_map")
_LEAVES = ("number", "array", "ndarray", "tracer")
_TREES = ("dict", "list", "tuple", "other")


class LeafFirst(AtFrame, frozen=True, kw_only=True):
    """A call that maps over one number, and a whole tree; `start` is where the number is given."""

    start: ast.Constant | None
    trees: tuple[str, ...]


def leaf_first(context: FailureContext) -> LeafFirst | None:
    """The first of several trees is a leaf, so the function gets whole trees of the others."""
    if len(context.frames) < 2:
        return None
    inner, frame = context.frames[-1], context.frames[-2]
    call = frame.node
    if not isinstance(call, ast.Call) or frame.callee(call) not in _MAPS or len(call.args) < 3:
        return None
    _, first, *others = call.args
    is_body = inner.function is not None and _is_leaf(frame, first)
    trees = [other for other in others if frame.kind(other) in _TREES]
    if not is_body or not trees:
        return None
    start = _start(frame, first)
    facts = {
        "name": frame.module.text(first),
        "container": frame.module.text(trees[0]),
        "argument": f"jax.tree.map(jnp.zeros_like, {frame.module.text(trees[0])})",
        "line": str(start.lineno) if start is not None else "",
    }
    place = frame.place(start if start is not None else call)
    parameters = tuple(dict.fromkeys(_parameters(frame)))
    return LeafFirst(
        place, facts, "leaf", context=context, outer_frame=frame, start=start, trees=parameters
    )


def _is_leaf(frame: FrameContext, node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or frame.kind(node) in _LEAVES


def _start(frame: FrameContext, first: ast.expr) -> ast.Constant | None:
    """Return the zero that a name is given before a loop adds to it."""
    scope = frame.function or frame.module.tree
    name = path_of(first) or ""
    found = [
        value
        for statement in frame.module.assignments(name, scope)
        if isinstance(statement, ast.Assign)
        for target, value in _assigned_pairs(statement)
        if path_of(target) == name and isinstance(value, ast.Constant)
    ]
    is_zero = len(found) == 1 and found[0].value == 0
    return found[0] if is_zero else None


def _assigned_pairs(statement: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=False))
    return [(target, value)]


def _parameters(frame: FrameContext) -> list[str]:
    """List what the parameters may be called in a frame: `params`, or those of a train state."""
    states = [
        f"{name}.params"
        for name, fact in frame.names.items()
        if any(base.endswith("train_state.TrainState") for base in fact.bases)
        or fact.detail.endswith("train_state.TrainState")
    ]
    return [*(["params"] if in_sight(frame, "params") else []), *states]


def begin_with_zeros(found: LeafFirst) -> Drafts:
    """Begin with a tree of zeros, of the structure that the parameters have."""
    if found.start is None:
        return
    for tree in found.trees:
        draft = Draft(found.module).certain()
        zeros = draft.name("jax.numpy.zeros_like")
        yield draft.replace(found.start, f"{draft.name('jax.tree.map')}({zeros}, {tree})")
