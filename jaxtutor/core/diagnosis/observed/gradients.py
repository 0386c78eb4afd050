"""Names why a gradient is zero everywhere, or not a number."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    IndependentResult,
    InfGradient,
    NanGradient,
    Observation,
    ZeroGradient,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in, path_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.patterns import find, first_match


class BlockedGradient(Finding, frozen=True, kw_only=True):
    """An operation that blocks a gradient; of `stop_gradient`, `stopped` is its argument."""

    stopped: ast.expr | None


def zero_gradient(spot: ObservedLocation[ZeroGradient]) -> BlockedGradient | None:
    """A gradient that an operation blocks, where the file does not pass it straight through."""
    if any(find(spot.module, *_STRAIGHT)):
        return None
    call = first_match(spot.module, spot.node, "jax.lax.stop_gradient($x)")
    stopped, facts = call["x"] if call is not None else None, spot.facts
    form = "stopped" if stopped is not None else ""
    if stopped is not None:
        facts = {**facts, "argument": spot.module.text(stopped)}
    if spot.seen.weights:  # they reach the loss only through a flat operation
        if not any(map(_trains, spot.module.nodes)):
            return None
        facts = {**facts, "container": spot.seen.weights}
        form = "stopped_term" if stopped is not None else "weights"
    return BlockedGradient(
        spot.place(), facts, form, module=spot.module, node=spot.at, stopped=stopped
    )


def independent_result(spot: ObservedLocation[IndependentResult]) -> Finding | None:
    """A loss that does not depend on the parameters, in a file that trains with its gradient.

    A function may be independent of an argument on purpose. Where it computes something from the
    argument that nothing reads, it is a mistake. Where it never reads it, it may be one.
    """
    named = spot.module.function_named(spot.seen.name)
    function = named if named is not None else spot.module.scope(spot.at)
    given = parameter_names(function) if isinstance(function, FunctionNode) else []
    argument = spot.seen.argument or next(iter(given), "")
    if not argument or not any(map(_trains, spot.module.nodes)):
        return None
    owner = spot.seen.name or spot.frame.function
    facts = {**spot.facts, "argument": argument, "function": owner}
    dropped = _value_at(spot, spot.seen.dropped)
    if dropped:
        return spot.found(facts={**facts, "container": dropped}, form="dropped")
    if argument in names_in(function):
        return None
    return replace(spot.found(facts=facts, form="independent"), is_certain=False)


def _value_at(spot: ObservedLocation[IndependentResult], frame: Frame | None) -> str:
    """Return the name that gets the value at a place, or the expression itself."""
    module = spot.modules.get(frame.file) if frame is not None else None
    node = module.node_at(frame.span) if module is not None and frame is not None else None
    if module is None or node is None:
        return ""
    match module.statement(node):
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    text = " ".join(module.text(node).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


_MOST_SHOWN = 60  # characters of an expression in a sentence


def _trains(node: ast.AST) -> bool:
    """Return whether a node applies gradients: by an optimizer, or leaf by leaf."""
    if isinstance(node, ast.BinOp):
        return _descends(node)
    func = node.func if isinstance(node, ast.Call) else None
    name = (path_of(func) or "").rpartition(".")[2] if func is not None else ""
    if name in ("apply_updates", "apply_gradients"):
        return True
    is_map = name in ("map", "tree_map") and len(getattr(node, "args", ())) > 2
    return is_map or (name in _UPDATING and len(getattr(node, "args", ())) > 1)


_UPDATING = ("update", "opt_update", "update_fun")
"""What an optimizer's update is called: that of `jax.example_libraries` is returned by a call."""


def _descends(step: ast.BinOp) -> bool:
    """Return whether an expression is `p["w"] - rate * g["w"]`: an entry less its gradient."""
    if not isinstance(step.op, ast.Sub) or not isinstance(step.left, ast.Subscript | ast.Attribute):
        return False
    scaled = step.right if isinstance(step.right, ast.BinOp) else None
    if scaled is None or not isinstance(scaled.op, ast.Mult):
        return False
    return any(_same_entry(step.left, side) for side in (scaled.left, scaled.right))


def _same_entry(one: ast.expr, other: ast.expr) -> bool:
    """Return whether two expressions read the same entry of two objects."""
    match one, other:
        case ast.Subscript(slice=first), ast.Subscript(slice=second):
            return ast.dump(first) == ast.dump(second) and ast.dump(one) != ast.dump(other)
        case ast.Attribute(attr=first), ast.Attribute(attr=second):
            return first == second and ast.dump(one) != ast.dump(other)
    return False


_STRAIGHT = (
    "$x + jax.lax.stop_gradient($changed - $x)",
    "$x - jax.lax.stop_gradient($x)",
)


def names_gradient(spot: ObservedLocation[Observation]) -> bool:
    """Return whether a gradient of the run is NaN for a reason that is named."""
    has_nan = any(isinstance(it, NanGradient) for it in spot.run)
    return has_nan and bool(through_where(spot) or root_at_zero(spot))


def through_where(spot: ObservedLocation[Observation]) -> Finding | None:
    """A gradient that is NaN although `where` chooses another value."""
    origin = _origin(spot)
    where = (_where_around(origin) or _where_of_name(origin)) if origin is not None else None
    if origin is None or where is None or origin.node is None:
        return None
    facts = {**origin.facts, "function": _one_line(origin.module.text(origin.node))}
    return origin.found(where, facts)


def root_at_zero(spot: ObservedLocation[Observation]) -> Finding | None:
    """A gradient that is NaN at the edge of a function's domain, where its slope is infinite."""
    origin = _origin(spot)
    if origin is None or through_where(spot) is not None:
        return None
    root = _call_around(origin, _is_root)
    if root is not None:
        return origin.found(root)
    steep = _call_around(origin, _is_inverse)
    if steep is None:
        return None
    name = (path_of(getattr(steep, "func", None)) or "").rpartition(".")[2]
    return origin.found(steep, {**origin.facts, "name": name}, form="edge")


def _origin(spot: ObservedLocation[Observation]) -> ObservedLocation[Observation] | None:
    """Return the place of the first gradient without a number: an infinity comes before a NaN."""
    kinds = (InfGradient, NanGradient)
    first = next((it for kind in kinds for it in spot.run if isinstance(it, kind)), None)
    frame = first.frame if first is not None else None
    module = spot.modules.get(frame.file) if frame is not None else None
    if first is None or frame is None or module is None:
        return None
    origin = ObservedLocation(first, module, frame, spot.modules, spot.run)
    return origin if origin.node is not None else None


def _one_line(text: str) -> str:
    """Return a text that fits into a sentence; empty for another."""
    return text if len(text) <= 40 and "\n" not in text else ""


def _is_where(module: Module, node: ast.AST) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    name = (module.dotted(func) or "") if func is not None else ""
    return name in ("jax.numpy.where", "jax.lax.select", "jax.numpy.select")


def _where_around(spot: ObservedLocation[Observation]) -> ast.AST | None:
    """Find the `where` in whose branches a spot lies."""
    inner: ast.AST | None = spot.node
    for outer in spot.module.ancestors(spot.node) if spot.node is not None else ():
        if isinstance(outer, ast.Call) and _is_where(spot.module, outer):
            return outer if inner in outer.args[1:] else None
        if isinstance(outer, ast.stmt):
            return None
        inner = outer
    return None


def _where_of_name(spot: ObservedLocation[Observation]) -> ast.AST | None:
    """Find the `where` that chooses the name to which the spot's statement gives a value."""
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = {t.id for t in targets if isinstance(t, ast.Name)}
    for call in ast.walk(spot.function):
        if isinstance(call, ast.Call) and _is_where(spot.module, call):
            branches = {n for branch in call.args[1:] for n in names_in(branch)}
            if names & branches and call.lineno > spot.frame.span.line:
                return call
    return None


def _call_around(
    spot: ObservedLocation[Observation], is_one: Callable[[ast.AST], bool]
) -> ast.AST | None:
    """Find the nearest expression of a kind at a spot or around it, in its statement."""
    node = spot.node
    for outer in [node, *spot.module.ancestors(node)] if node is not None else []:
        if isinstance(outer, ast.stmt):
            return None
        if is_one(outer):
            return outer
    return None


def _is_root(node: ast.AST) -> bool:
    """Return whether a node is a root or a norm."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Pow) and _is_fraction(node.right)
    return _last_name(node) in ("sqrt", "norm", "hypot", "power", "std")


def _is_inverse(node: ast.AST) -> bool:
    """Return whether a node is a function with infinite slopes at the edges of its domain."""
    return _last_name(node) in ("arccos", "arcsin", "acos", "asin", "arctanh", "atanh")


def _last_name(node: ast.AST) -> str:
    name = (path_of(node.func) or "") if isinstance(node, ast.Call) else ""
    return name.rpartition(".")[2]


def _is_fraction(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value < 1
