"""Names why a function was compiled again and again: its arguments, or a new function each time."""

from __future__ import annotations

import ast
from typing import TypeGuard

from jaxtutor.core.data.observations import (
    ChangedArgument,
    CompiledAgain,
    GrowingShape,
    NewCallable,
    Observation,
    StaticChange,
    StaticFunction,
    StaticNumber,
    VaryingShape,
    WrappedAgain,
)
from jaxtutor.core.diagnosis.causes.tracing.static_arguments import uses_as_python_value
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, bound_names, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    name_of,
    place_of,
    static_names,
)
from jaxtutor.core.diagnosis.observed.bodies import body_made_again, solver_compiled_again
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.loops import Loop, carried, loop_around, paths_in

_LEAST_NUMBERS = 5  # traces with another number each time; fewer may be a few settings
_LEAST_FUNCTIONS = 3  # traces with a new function that does the same each time
_LEAST_SHAPES = 4  # traces with an axis that grows by one step
_LEAST_SLICES = 8  # the same, where the argument is a slice and not carried by the loop


class StaticChanges(Finding, frozen=True, kw_only=True):
    """A static argument that changes; with the `jit` whose parameter `name` need not be static."""

    jit: AppliedTransform | None
    name: str


class CompiledOften(Finding, frozen=True, kw_only=True):
    """A `jit` that makes a new callable each time."""

    jit: AppliedTransform


def _compiled_often(item: AppliedTransform, function: str) -> CompiledOften:
    """Return a match of a `jit`, whose page names a function."""
    facts, form = {"function": function}, ""
    if item.is_decorator and item.function is not None:
        facts, form = {**facts, "name": name_of(item.function)}, "defined"
    return CompiledOften(None, facts, form, module=item.module, node=item.node, jit=item)


def static_number(spot: ObservedLocation[StaticNumber]) -> StaticChanges | None:
    """A static number with a new value in each call, though every value gives the same program."""
    seen = spot.seen
    if seen.times < _LEAST_NUMBERS or seen.same < seen.times // 2 or _loop(spot) is None:
        return None
    facts = {**_facts(spot), "name": seen.argument}
    function = spot.module.function_named(seen.name)
    jits = [a for a in applied(spot.module) if a.kind == "jit" and a.function is function]
    if function is None or len(jits) != 1 or not static_names(jits[0]):
        return StaticChanges(
            spot.place(), facts, module=spot.module, node=spot.at, jit=None, name=""
        )
    free = [n for n in sorted(static_names(jits[0])) if not uses_as_python_value(jits[0], n)]
    name = free[0] if len(free) == 1 else ""
    return StaticChanges(
        place_of(jits[0]), facts, module=spot.module, node=jits[0].node, jit=jits[0], name=name
    )


def static_function(spot: ObservedLocation[StaticFunction]) -> Finding | None:
    """A static argument that is a new function each time, and does the same each time."""
    if spot.seen.times < _LEAST_FUNCTIONS or spot.seen.same < _LEAST_FUNCTIONS:
        return None
    given = _given(spot)
    is_written = isinstance(given, ast.Lambda | ast.Call)
    passed = {"expression": spot.module.text(given)} if given is not None else {}
    facts = {**_facts(spot), **passed, "form": "static"}
    return spot.found(given if is_written else None, facts=facts)


def growing_shape(spot: ObservedLocation[GrowingShape]) -> Finding | None:
    """An array that is longer in each round of a loop."""
    loop, given = _loop(spot), _given(spot)
    if loop is None or given is None or spot.node is None or spot.seen.times < _LEAST_SHAPES:
        return None
    names = paths_in(given)
    is_carried = bool(names & carried(spot.module, loop, spot.node))
    is_collected = any(_appends(node, names) for node in ast.walk(loop))
    is_slice = isinstance(given, ast.Subscript) and spot.seen.times >= _LEAST_SLICES
    if not (is_carried or is_collected or is_slice):
        return None
    facts = {**_facts(spot), "name": spot.module.text(given)}
    return spot.found(facts=facts)


def grown_attribute(spot: ObservedLocation[GrowingShape]) -> Finding | None:
    """An array in an object that a method, called in each round, makes longer."""
    loop, given = _loop(spot), _given(spot)
    if loop is None or not isinstance(given, ast.Attribute) or spot.seen.times < _LEAST_SHAPES:
        return None
    owner, calls = path_of(given.value), [n for n in ast.walk(loop) if isinstance(n, ast.Call)]
    called = {c.func.attr for c in calls if _is_method_of(c.func, owner)}
    methods = [f for m in spot.modules.values() for f in m.functions if name_of(f) in called]
    if owner is None or not any(_extends(n, given.attr) for f in methods for n in ast.walk(f)):
        return None
    facts = {**_facts(spot), "name": spot.module.text(given)}
    return spot.found(facts=facts)


def _is_method_of(func: ast.expr, owner: str | None) -> TypeGuard[ast.Attribute]:
    return isinstance(func, ast.Attribute) and path_of(func.value) == owner


def _extends(node: ast.AST, attribute: str) -> bool:
    """Return whether a statement binds `self.name` to a value that is made from the old one."""
    own = f"self.{attribute}"
    is_bound = isinstance(node, ast.Assign) and own in map(path_of, node.targets)
    return is_bound and isinstance(node, ast.Assign) and own in paths_in(node.value)


def varying_shape(spot: ObservedLocation[VaryingShape]) -> Finding | None:
    """An array that has another length in most rounds of a loop."""
    loop, given = _loop(spot), _given(spot)
    if loop is None or given is None:
        return None
    facts = {**_facts(spot), "name": spot.module.text(given), "form": "lengths"}
    return spot.found(facts=facts)


def grown_list(spot: ObservedLocation[CompiledAgain]) -> Finding | None:
    """A list that each round of a loop adds to, and makes a new array of."""
    loop = _loop(spot)
    if loop is None or spot.node is None:
        return None
    names = {n for n in paths_in(spot.node) if any(_appends(node, {n}) for node in ast.walk(loop))}
    is_always = spot.module.statement(spot.node) in loop.body
    if len(names) != 1 or not is_always:
        return None
    facts = {**spot.facts, "name": names.pop(), "form": "list"}
    return spot.found(facts=facts)


def _appends(node: ast.AST, names: set[str]) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    is_adding = isinstance(func, ast.Attribute) and func.attr in ("append", "extend")
    return is_adding and isinstance(func, ast.Attribute) and path_of(func.value) in names


def _facts(spot: ObservedLocation[ChangedArgument]) -> dict[str, str]:
    name = spot.seen.name
    if spot.module.function_named(name) is None and isinstance(spot.node, ast.Call):
        name = spot.module.text(spot.node.func)  # a library's function, by what the call calls it
    return {**spot.facts, "function": name}


def _loop(spot: ObservedLocation[Observation]) -> Loop | None:
    return loop_around(spot.module, spot.node) if spot.node is not None else None


def _given(spot: ObservedLocation[ChangedArgument]) -> ast.expr | None:
    """Return the expression that the call passes as the argument that changed."""
    call, name = spot.node, spot.seen.argument
    if not isinstance(call, ast.Call):
        return None
    values = [*call.args, *(k.value for k in call.keywords)]
    function = spot.module.function_named(spot.seen.name)
    given = argument_for(function, call, name) if function is not None else None
    return given or next((v for v in values if path_of(v) == name), None)


# ---------------------------------------------------------------- the function itself


def new_callable(spot: ObservedLocation[NewCallable]) -> Finding | None:
    """Find the jit inside a function or loop that makes a new callable at each call.

    Callables that do different things need a program each, and one that another program calls is
    compiled with it. Only equal programs were compiled in vain.
    """
    seen, module, function = spot.seen, spot.module, spot.observed_function
    if not _is_in_vain(seen):
        return body_made_again(spot)
    jits = _jits_made_often(module)
    found = [a for a in jits if a.function is not None and a.function is function] or jits
    if len(found) != 1:
        return None
    return _compiled_often(found[0], name_of(function))


def new_callable_elsewhere(spot: ObservedLocation[NewCallable]) -> Finding | None:
    """Find the only jit that other files make again at each call, of a function given to them."""
    if not _is_in_vain(spot.seen):
        return None
    others = (m for m in spot.modules.values() if m is not spot.module)
    found = [a for module in others for a in _jits_made_often(module) if a.function is None]
    if len(found) != 1:
        return None
    return _compiled_often(found[0], spot.seen.name)


def _is_in_vain(seen: NewCallable) -> bool:
    """Return whether equal programs were compiled for a function, three times or more."""
    return min(seen.times, seen.same - 1) >= 2


def _jits_made_often(module: Module) -> list[AppliedTransform]:
    jits = [a for a in applied(module) if a.kind == "jit" and _is_made_often(a)]
    return [a for a in jits if not _is_handed_out(a) and not _is_made_for_loop(a)]


def wrapped_again(spot: ObservedLocation[WrappedAgain]) -> Finding | None:
    """Find the `eqx.filter_jit` that makes the called function again in each call."""
    call = spot.node
    if not isinstance(call, ast.Call):
        return None
    scope, name = spot.module.scope(call), path_of(call.func)
    for item in applied(spot.module):
        if item.kind != "jit" or not _is_made_often(item) or _is_handed_out(item):
            continue
        statement = item.function if item.is_decorator else spot.module.statement(item.node)
        is_bound = (
            isinstance(statement, ast.stmt)
            and name in bound_names(statement)
            and spot.module.scope(statement) is scope
        )
        if (is_bound or call.func is item.node) and not _is_made_for_loop(item):
            return _compiled_often(item, name_of(item.function))
    return solver_compiled_again(spot)


def _is_handed_out(item: AppliedTransform) -> bool:
    """Return whether a function returns what it compiled: a maker of functions makes one a call."""
    module = item.module
    maker = next((n for n in module.ancestors(item.node) if isinstance(n, ast.FunctionDef)), None)
    if item.is_decorator and maker is item.function and maker is not None:
        maker = next((n for n in module.ancestors(maker) if isinstance(n, ast.FunctionDef)), None)
    statement = module.statement(item.node)
    made = (
        item.function.name
        if item.is_decorator and isinstance(item.function, ast.FunctionDef)
        else ""
    )
    is_kept = getattr(statement, "value", None) is item.node
    names = {made, *(bound_names(statement) if statement is not None and is_kept else ())} - {""}
    values = [n.value for n in ast.walk(maker) if isinstance(n, ast.Return)] if maker else []
    parts = [p for v in values if v for p in (v.elts if isinstance(v, ast.Tuple) else [v])]
    return any(p is item.node or path_of(p) in names for p in parts)


def _is_made_for_loop(item: AppliedTransform) -> bool:
    """Return whether what was compiled is then called in a loop of its own, as a fit does."""
    module, compiled = item.module, item.function
    makers = [n for n in module.ancestors(item.node) if isinstance(n, ast.FunctionDef)]
    maker = next((n for n in makers if n is not compiled or not item.is_decorator), None)
    statement = compiled if item.is_decorator else module.statement(item.node)
    names = bound_names(statement) if statement is not None else set()
    calls = [n for n in ast.walk(maker or module.tree) if isinstance(n, ast.Call)]
    loops = [loop_around(module, c) for c in calls if path_of(c.func) in names]
    return any(loop is not None and statement not in list(ast.walk(loop)) for loop in loops)


def _is_made_often(item: AppliedTransform) -> bool:
    """Return whether a transformation is applied again at each call or iteration."""
    outer = item.module.ancestors(item.node)
    decorated = item.function if item.is_decorator else None
    return any(
        isinstance(n, ast.FunctionDef | ast.Lambda | ast.For | ast.While) and n is not decorated
        for n in outer
    )


def static_change(spot: ObservedLocation[StaticChange]) -> StaticChanges | None:
    """Find the static argument that changes at each call and need not be static."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    jits = [a for a in applied(module) if a.kind == "jit" and a.function is function]
    if len(jits) != 1 or min(spot.seen.times, spot.seen.same) < 2:
        return None
    free = [n for n in sorted(static_names(jits[0])) if _is_free(jits[0], function, n)]
    if len(free) != 1:
        return None
    name = free[0]
    facts = {"function": name_of(function), "argument": name, "name": name}
    return StaticChanges(
        place_of(jits[0]), facts, module=module, node=jits[0].node, jit=jits[0], name=name
    )


def _is_free(jit: AppliedTransform, function: FunctionNode, name: str) -> bool:
    """Return whether a function does arithmetic only with a parameter."""
    names = [a.arg for a in parameters(function)]
    if name not in names or uses_as_python_value(jit, name):
        return False
    used = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return bool(used) and all(_is_harmless(jit.module, n) for n in used)


def _is_harmless(module: Module, node: ast.AST) -> bool:
    """Return whether a use needs no Python value: arithmetic, or a note in a list."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Attribute) and parent.func.attr == "append"
    return isinstance(parent, ast.BinOp | ast.UnaryOp)


RULES = (
    Rule(
        "shape-grows-each-call",
        observed(
            (GrowingShape, growing_shape),
            (GrowingShape, grown_attribute),
            (VaryingShape, varying_shape),
            (CompiledAgain, grown_list),
        ),
    ),
)
