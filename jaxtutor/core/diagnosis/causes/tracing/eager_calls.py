"""Names a function that runs many times outside of compiled programs, and could be compiled."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import EagerCalls
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Definition, Module, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import reached
from jaxtutor.core.diagnosis.observed.bodies import is_traced
from jaxtutor.core.diagnosis.reading.functions import parameter_names

LEAST_OPERATIONS = 10
_EFFECTS = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.With, ast.Try)
_HOST = frozenset("print input open float int bool next iter append extend item tolist".split())
_HOSTS = frozenset({"numpy", "random", "time", "os", "math"})


def eager_calls(spot: ObservedLocation[EagerCalls]) -> Finding | None:
    """A function of arrays that was called often, and that `jax.jit` can compile as it is."""
    seen = spot.seen
    module = spot.modules.get(seen.start.file)
    node = module.node_at(seen.start.span) if module is not None else None
    function = module.function(node) if module is not None and node is not None else None
    if module is None or node is None or not isinstance(function, Definition):
        return None
    if is_traced(module, function):
        return None
    functions = [f for f in (function, *reached(module, function)) if isinstance(f, Definition)]
    if any(
        _needs_python(module, f) or any(_decides(n, f) for n in own_nodes(f)) for f in functions
    ):
        return None
    count = sum(_is_operation(module, node) for f in functions for node in own_nodes(f))
    if count < LEAST_OPERATIONS:
        return None
    detail = f"at least {seen.times} calls, of some {count} operations each"
    return replace(spot.found(facts={"function": seen.name, "detail": detail}), is_certain=False)


def _is_operation(module: Module, node: ast.AST) -> bool:
    """Return whether an expression computes with arrays, or with numbers, by an operation."""
    if isinstance(node, ast.Call):
        return (module.dotted(node.func) or "").startswith("jax.")
    return isinstance(node, ast.BinOp | ast.Compare)


def _needs_python(module: Module, function: Definition) -> bool:
    """Return whether a function has an effect, or needs numbers, which tracing does not have."""
    for node in own_nodes(function):
        if isinstance(node, _EFFECTS) or _decides(node, function):
            return True
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Call):
            path = module.dotted(node.func) or path_of(node.func) or ""
            if path.rpartition(".")[2] in _HOST or path.partition(".")[0] in _HOSTS:
                return True
    return False


def _decides(node: ast.AST, function: Definition) -> bool:
    """Return whether a condition reads a parameter or a value that the function has computed."""
    tests = isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert)
    if not tests:
        return False
    test = node.test  # type: ignore[attr-defined]
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is | ast.IsNot):
        return False
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _is_stored(n)}
    return bool(names_in(test) & (bound | set(parameter_names(function))))


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


RULES = (Rule("called-outside-jit", observed((EagerCalls, eager_calls))),)
