"""Matches the causes in random numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, Match, at_node
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, every, name_of
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names, returned
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import elements_or_itself


class Draw(Match, frozen=True, kw_only=True):
    """A draw whose key was used before."""

    module: Module
    node: ast.AST | None


def key_reuse_error(context: FailureContext) -> Draw | None:
    """A key is used for a second draw."""
    again = _in_each_round(context) if "when repeatedly executed" in context.message else None
    frame = _where_paths_part(context) or context.frame
    if again is not None or frame is None:
        return again
    node = _draw_inside(frame) or frame.node
    inner = context.frame if frame is context.frame or _threads_state(frame) else None
    kept = _returned_after_use(inner) if inner is not None else None
    if inner is not None and kept is not None:
        facts = {"name": kept.id, "function": name_of(inner.function)}
        return Draw(inner.place(kept), facts, "returned", module=inner.module, node=None)
    place = frame.place(node) if node is not None else None
    return Draw(place, {"name": _key_name(node)}, module=frame.module, node=node)


def _threads_state(frame: FrameContext) -> bool:
    """Return whether a call is given a key that an earlier call of the same function returned."""
    call, name = frame.node, _key_name(frame.node)
    if not isinstance(call, ast.Call):
        return False
    return any(
        isinstance(node, ast.Assign)
        and node.lineno < call.lineno
        and isinstance(node.value, ast.Call)
        and path_of(node.value.func) == path_of(call.func)
        and name in bound_names(node)
        for node in frame.module.nodes
    )


def _returned_after_use(frame: FrameContext) -> ast.Name | None:
    """Find the used key that a function returns, where the key of a parameter was used before.

    The function uses that key only once, so the other use was in an earlier call, and the key came
    back from there.
    """
    function, name = frame.function, _key_name(_draw_inside(frame) or frame.node)
    if function is None or name not in set(parameter_names(function)):
        return None
    used = [
        n.args[0].id
        for n in own_nodes(function)
        if isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Name)
        if _uses_key_up(frame.module.dotted(n.func) or "")
    ]
    bound = [n for s in own_nodes(function) if isinstance(s, ast.stmt) for n in bound_names(s)]
    if used.count(name) != 1:
        return None
    kept = [n for n in _returned_names(function) if n.id in used]
    kept = [n for n in kept if bound.count(n.id) == (0 if n.id == name else 1)]
    return kept[0] if kept else None


def _uses_key_up(path: str) -> bool:
    """Return whether a function draws from a key or splits it; a key folded in stays fresh."""
    return path.startswith("jax.random.") and not path.endswith(("fold_in", "key_data", "clone"))


def _returned_names(function: FunctionNode) -> list[ast.Name]:
    """List the names among what a function returns, also inside tuples."""
    values = [v for v in returned(function) if v is not None]
    while any(isinstance(v, ast.Tuple) for v in values):
        values = [i for v in values for i in (v.elts if isinstance(v, ast.Tuple) else [v])]
    return [v for v in values if isinstance(v, ast.Name)]


def _draw_inside(frame: FrameContext) -> ast.Call | None:
    """Return the only draw in the arguments of the failing call: a loop is given its keys there."""
    if frame.node is None or (frame.callee(frame.node) or "").startswith("jax.random."):
        return None
    calls = list(calls_in(frame.node))
    draws = [n for n in calls if (frame.callee(n) or "").startswith("jax.random.")]
    is_alone = len(draws) == 1 and draws[0].args
    return draws[0] if is_alone and not _is_in_lambda(frame, draws[0]) else None


def _is_in_lambda(frame: FrameContext, node: ast.AST) -> bool:
    return any(isinstance(outer, ast.Lambda) for outer in frame.module.ancestors(node))


def _where_paths_part(context: FailureContext) -> FrameContext | None:
    """Find the caller that gave one key to two functions: there the two uses part."""
    first = context.failure.linked.frames if context.failure.linked is not None else ()
    for frame, before in zip(context.frames, first, strict=False):
        same = (frame.record.file, frame.record.function) == (before.file, before.function)
        if not same:
            return None
        if frame.record.span.line != before.span.line:
            return frame
    return None


def _in_each_round(context: FailureContext) -> Draw | None:
    """Find the draw in a loop's body that takes the same key in each round, if there is one."""
    draws = [d for loop in every(context, *_LOOPS) for d in _same_draws(loop)]
    if not draws:
        return None
    module, call, name = min(draws, key=lambda draw: (draw[1].lineno, draw[1].col_offset))
    return Draw(module.location(call), {"name": name}, module=module, node=call)


_LOOPS = ("scan", "fori_loop", "while_loop")


def _same_draws(loop: AppliedTransform) -> Iterator[tuple[Module, ast.Call, str]]:
    """Yield the draws of a body whose key is bound outside, or is handed on as it came."""
    body = loop.function
    if body is None:
        return
    given = set(parameter_names(body))
    bound = [n for s in own_nodes(body) if isinstance(s, ast.stmt) for n in bound_names(s)]
    for call in own_nodes(body):
        first = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if not isinstance(call, ast.Call) or not isinstance(first, ast.Name):
            continue
        path, name = loop.module.dotted(call.func) or "", first.id
        if not _uses_key_up(path):
            continue
        is_outer = name not in given and name not in bound
        is_kept = bound.count(name) + (name in given) == 1 and _is_handed_on(body, name)
        if is_outer or is_kept:
            yield loop.module, call, name


def _is_handed_on(body: FunctionNode, name: str) -> bool:
    """Return whether a name itself is among what a body returns."""
    return any(node.id == name for node in _returned_names(body))


def _key_name(node: ast.AST | None) -> str:
    given = node.args if isinstance(node, ast.Call) else []
    return next((a.id for a in given if isinstance(a, ast.Name)), "")


def typed_key(context: FailureContext) -> AtNode | None:
    """A typed key is used as an array of two numbers."""
    found = at_node(context)
    if found is None or any(words in context.message for words in _OTHER_WORDS):
        return None
    frame, node = found.frame, found.node
    if (frame.callee(node) or "").startswith(_DRAWING):
        return None  # of JAX another mistake, and of others a seed: their generators want numbers
    found = replace(found, facts=_key_facts(frame, node))
    if any(words in context.message for words in _KEY_WORDS) or _unpacks_key(
        frame, context.message
    ):
        return found
    value = node.func if isinstance(node, ast.Call) else node
    base = value.value if isinstance(value, ast.Subscript | ast.Attribute) else None
    if base is not None and _is_key(frame, base):
        return found
    given = node.args if isinstance(node, ast.Call) and _takes_arrays(frame, node) else ()
    return found if any(_is_key(frame, n) for a in given for n in elements_or_itself(a)) else None


_OTHER_WORDS = ("immutable", "requires real", "``rngs``")
_DRAWING = ("jax.random.", "numpy.random.", "random.")
_KEY_WORDS = ("dtypes key<", "from key<", "PRNGKey", "key array", "0-d key")


def _unpacks_key(frame: FrameContext, message: str) -> bool:
    """Return whether a traced key is unpacked, of which JAX says that it is a 0-d array."""
    statement = frame.statement
    is_unpacked = isinstance(statement, ast.Assign) and "iteration over a 0-d array" in message
    return is_unpacked and isinstance(statement, ast.Assign) and _is_key(frame, statement.value)


def _takes_arrays(frame: FrameContext, node: ast.AST) -> bool:
    """Return whether a library's function takes arrays; a loop takes keys as well."""
    path = frame.callee(node) or ""
    is_loop = last_part(path) in (*_LOOPS, "cond", "switch", "map", "associative_scan")
    return path.startswith(_OF_ARRAYS) and not is_loop


_OF_ARRAYS = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.", "numpy.", "scipy.")


def _key_facts(frame: FrameContext, node: ast.AST) -> dict[str, str]:
    keys = [n for n in ast.walk(node) if isinstance(n, ast.Name) and _is_key(frame, n)]
    return {"name": keys[0].id} if keys else {}


def _is_key(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression is a typed key, or an array of them."""
    fact = frame.fact(node)
    if fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<")):
        return True
    if isinstance(node, ast.Subscript):
        return _is_key(frame, node.value)
    path = frame.callee(node) or ""
    if not isinstance(node, ast.Call) or not path.startswith("jax.random."):
        return False
    is_made = path.endswith((".split", ".fold_in", ".clone"))
    return path.endswith(".key") or (is_made and any(_is_key(frame, a) for a in node.args))
