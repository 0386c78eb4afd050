"""Recognises loops that do not end, or not in time, in the source of a stopped program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from jaxtutor.core.diagnosis.editing.mapping import loop_facts
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, stopped
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Location,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    function_argument,
    name_of,
    resolve,
    static_names,
)
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of, returned
from jaxtutor.core.diagnosis.reading.names import bound_value

_FINEST = 1e-7  # about the spacing of float32 beside one
_MANY_ROUNDS = 1_000  # rounds of a loop from which unrolling it takes minutes


# ---------------------------------------------------------------- conditions that do not change


def constant_condition(module: Module) -> Iterator[Finding]:
    """Find the loops whose condition is the same in every round."""
    for item in applied(module):
        # The condition and the body of a while_loop are listed apart: look at each loop once.
        test = function_argument(item, 0, "cond_fun") if item.kind == "while_loop" else None
        if test is not None and item.function is test and _ignores_carry(item, test):
            yield finding(module, _condition_place(module, test))
    for node in module.nodes:
        if isinstance(node, ast.While) and _is_never_changed(module, node):
            yield finding(module, node.test)


def _condition_place(module: Module, test: FunctionNode) -> Location:
    value = result_of(test)
    return module.location(value if value is not None else test)


def _ignores_carry(item: AppliedTransform, test: FunctionNode) -> bool:
    """Return whether a condition reads no part of the carry that the body changes."""
    given = parameters(test)
    value = result_of(test)
    if len(given) != 1 or value is None:
        return False
    parts = _parts_read(test, given[0].arg)
    if parts is None:
        return False
    body = function_argument(item, 1, "body_fun")
    return not parts or (body is not None and parts <= _parts_kept(body))


def _parts_read(test: FunctionNode, name: str) -> set[int] | None:
    """List the parts of a carry that a condition reads, by position; None if that is not clear."""
    found: set[int] = set()
    names = _unpacked(test, name)
    for node in ast.walk(test):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        if node.id in names:
            found.add(names.index(node.id))
        elif node.id == name and not names:
            return None
    return found


def _unpacked(function: FunctionNode, name: str) -> list[str]:
    """List the names that a function unpacks its parameter into."""
    for node in own_nodes(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=whole)) if (
                whole == name
            ):
                return [part.id if isinstance(part, ast.Name) else "" for part in parts]
    return []


def _parts_kept(body: FunctionNode) -> set[int]:
    """List the parts of the carry that a body returns as they came."""
    given, value = parameters(body), result_of(body)
    if len(given) != 1 or not isinstance(value, ast.Tuple):
        return set()
    names = _unpacked(body, given[0].arg)
    statements = [s for s in own_nodes(body) if isinstance(s, ast.stmt)]
    bound = [n for s in statements for n in bound_names(s)]
    return {
        position
        for position, (part, name) in enumerate(zip(value.elts, names, strict=False))
        if isinstance(part, ast.Name) and part.id == name and bound.count(name) == 1
    }


def _is_never_changed(module: Module, loop: ast.While) -> bool:
    """Return whether nothing in a loop can end it or change what its condition reads."""
    inside = [node for part in loop.body for node in ast.walk(part)]
    leaves = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    if any(isinstance(node, leaves) for node in inside):
        return False
    if any(not isinstance(n, _PLAIN) for n in ast.walk(loop.test)):
        return False  # a call or an attribute may give another answer each time
    read = names_in(loop.test)
    bound = {name for node in inside for name in bound_names(node)}
    used = {node.id for node in inside if isinstance(node, ast.Name)}
    # A name that the body uses at all may be changed in place.
    outer = {
        n for node in inside if isinstance(node, ast.Nonlocal | ast.Global) for n in node.names
    }
    return bool(read) and not read & (bound | used | outer) and not _is_shared(module, loop, read)


_PLAIN = (
    *(ast.Name, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Constant),
    *(ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context),
)


def _is_shared(module: Module, loop: ast.While, read: set[str]) -> bool:
    """Return whether a function that the loop may call can bind a name of its condition."""
    declared = {
        name
        for node in module.nodes
        if isinstance(node, ast.Nonlocal | ast.Global)
        for name in node.names
    }
    is_outer = module.function(loop) is None
    return bool(read & declared) or (is_outer and bool(read & _written_from_elsewhere(module)))


def _written_from_elsewhere(module: Module) -> set[str]:
    return {node.target.id for node in module.nodes if isinstance(node, ast.NamedExpr)}


# ---------------------------------------------------------------- scans that never get shorter


def stacked_elements(module: Module) -> Iterator[Finding]:
    """Find the associative scans that go over the parts of an element, stacked into one array."""
    for item in applied(module):
        call = item.call
        if item.kind != "associative_scan" or call is None or item.function is None:
            continue
        given = argument(call, 1, "elems")
        made = bound_value(module, given) if given is not None else None
        path = module.dotted(made.func) if isinstance(made, ast.Call) else None
        if path in ("jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray"):
            facts = {"function": name_of(item.function), "name": module.text(given or call)}
            yield finding(module, call, facts)


# ---------------------------------------------------------------- unrolled loops


def many_rounds(module: Module) -> Iterator[Finding]:
    """Find the Python loops of many rounds in functions that are traced."""
    traced = {
        item.function: item
        for item in applied(module)
        if item.kind in ("jit", "grad", "value_and_grad", "vmap", "scan", "fori_loop")
        and item.function is not None
    }
    for function, item in traced.items():
        for node in own_nodes(function):
            if isinstance(node, ast.For) and _has_many_rounds(module, node, item):
                facts = {"function": name_of(function), **loop_facts(module, node)}
                yield finding(module, module.header(node), facts)


def _has_many_rounds(module: Module, loop: ast.For, item: AppliedTransform) -> bool:
    """Return whether a loop is over a range with a large or a static bound."""
    call = loop.iter
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "range" or not call.args:
        return False
    bound = call.args[-1 if len(call.args) < 3 else 1]
    value = bound_value(module, bound)
    if isinstance(value, ast.Constant) and isinstance(value.value, int):
        return value.value >= _MANY_ROUNDS
    return isinstance(bound, ast.Name) and bound.id in static_names(item)


# ---------------------------------------------------------------- tolerances


def tolerance_too_fine(module: Module) -> Iterator[Finding]:
    """Find the conditions of loops that compare with a number below the precision."""
    if "enable_x64" in module.source:
        return
    tests = [n.test for n in module.nodes if isinstance(n, ast.While)]
    for item in applied(module):
        condition = item.call.args[0] if item.kind == "while_loop" and item.call else None
        if condition is not None and resolve(module, condition, item.node) is item.function:
            tests += [v for v in returned(item.function) if v is not None] if item.function else []
    for test in tests:
        for node in ast.walk(test):
            if isinstance(node, ast.Compare) and any(map(_is_fine(module), node.comparators)):
                yield finding(module, node)


def _is_fine(module: Module) -> Callable[[ast.expr], bool]:
    """Make a test of an expression: a number so small that float32 cannot tell it from zero."""

    def is_fine(node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float) and 0 < node.value < _FINEST
        return isinstance(node, ast.Name) and any(map(is_fine, _values_of(module, node)))

    return is_fine


def _values_of(module: Module, node: ast.Name) -> Iterator[ast.expr]:
    """List what a name may stand for: constants bound to it, defaults, and keyword arguments."""
    for found in module.nodes:
        match found:
            case ast.Assign(targets=targets, value=value) if node.id in map(path_of, targets):
                yield value
            case ast.keyword(arg=name, value=value) if name == node.id:
                yield value
            case ast.FunctionDef(args=given):
                names = [*given.posonlyargs, *given.args]
                pairs = zip(reversed(names), reversed(given.defaults), strict=False)
                yield from (default for name, default in pairs if name.arg == node.id)


RULES = (
    Rule("loop-condition-constant", stopped(constant_condition)),
    Rule("tolerance-below-precision", stopped(tolerance_too_fine)),
    Rule("associative-scan-over-parts", stopped(stacked_elements)),
    Rule("unrolled-loop", stopped(many_rounds)),
)
