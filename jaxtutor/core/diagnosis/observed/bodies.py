"""Names functions that are made again for each loop or solver that runs outside of `jit`."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import LoopCompiledAgain, NewCallable, WrappedAgain
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation, finding
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Location, Module
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    name_of,
    reached,
    resolve,
)
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import bound_value

_LEAST = 6
"""Times that a body is traced, or a solver compiled; fewer may be a few settings."""

_LOOPS = ("scan", "fori_loop", "while_loop", "map", "associative_scan")
_SOLVERS = ("diffrax.", "optimistix.", "lineax.")


def body_made_again(spot: ObservedLocation[NewCallable]) -> Finding | None:
    """Find the loop outside of `jit` that gets a new body each time its function runs."""
    module, function = spot.module, spot.observed_function
    if function is None or spot.seen.times < _LEAST:
        return None
    loops = [a for a in applied(module) if a.kind in _LOOPS and a.function is function]
    maker = module.function(function)
    if len(loops) != 1 or not isinstance(maker, Definition) or is_traced(module, maker):
        return None
    if module.function(loops[0].node) is not maker or _calls_parameter(function, maker):
        return None
    call = loops[0].node
    facts = {
        "name": name_of(function),
        "function": maker.name,
        "container": module.text(call.func) if isinstance(call, ast.Call) else loops[0].kind,
        "form": "body",
    }
    return finding(module, call, facts)


def _calls_parameter(function: FunctionNode, maker: Definition) -> bool:
    """Return whether a body calls what its maker was given: a sampler's step is made for one."""
    given = {a.arg for a in parameters(maker)}
    calls = (n.func for n in ast.walk(function) if isinstance(n, ast.Call))
    return any(isinstance(func, ast.Name) and func.id in given for func in calls)


def is_traced(module: Module, function: Definition) -> bool:
    """Return whether a transformation gets a function, or one that calls it."""
    if any(part.arg == "self" for part in function.args.args[:1]):
        return True  # a method may be compiled by its object
    for item in applied(module):
        if item.function is function or _reaches(item, function):
            return True
    given = (a for n in module.nodes if isinstance(n, ast.Call) for a in n.args)
    return any(isinstance(a, ast.Name) and a.id == function.name for a in given)


def _reaches(item: AppliedTransform, function: Definition) -> bool:
    return item.function is not None and function in reached(item.module, item.function)


def solver_compiled_again(spot: ObservedLocation[WrappedAgain]) -> Finding | None:
    """Find the function that is made again for each call of a solver, which compiles it again."""
    call = spot.node
    if not isinstance(call, ast.Call) or spot.seen.times < _LEAST:
        return None
    path = spot.module.dotted(call.func) or ""
    maker = spot.module.function(call)
    if not path.startswith(_SOLVERS):
        return None
    for given in (*call.args, *(k.value for k in call.keywords)):
        made = _made_here(spot.module, given, maker)
        if made is not None:
            name = "The lambda" if isinstance(made, ast.Lambda) else f"`{name_of(made)}`"
            facts = {"detail": name, "function": spot.module.text(call.func), "form": "solver"}
            return finding(spot.module, _place(spot.module, made), facts)
    return None


def loop_compiled_again(spot: ObservedLocation[LoopCompiledAgain]) -> Finding | None:
    """Find the call outside of `jit` whose loop or branches are compiled again each time.

    The learner's own loops are found by their bodies.
    """
    call, is_branch = spot.node, spot.seen.is_branch
    is_own = spot.called().startswith("jax.lax.") and not is_branch
    if not isinstance(call, ast.Call) or is_own or (is_branch and spot.seen.times < _LEAST):
        return None
    facts = {
        "function": spot.module.text(call.func),
        "detail": str(spot.seen.times),
        "form": "branches" if is_branch else "loop",
    }
    return replace(finding(spot.module, call, facts), is_certain=False)


def _made_here(module: Module, node: ast.expr, maker: FunctionNode | None) -> FunctionNode | None:
    """Return the function that an argument holds, if it is made where the solver is called."""
    value = bound_value(module, node)
    parts = [value, *value.args] if isinstance(value, ast.Call) else [value]
    for part in parts:
        function = resolve(module, part, node)
        if function is not None and (maker is None or maker in module.ancestors(function)):
            is_loose = maker is not None or isinstance(function, ast.Lambda)
            return function if is_loose else None
    return None


def _place(module: Module, function: FunctionNode) -> Location:
    """Return the place of a lambda, or of the first line of a definition."""
    return module.location(
        function if isinstance(function, ast.Lambda) else module.header(function)
    )
