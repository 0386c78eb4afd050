"""Fixes bodies of `scan` and `fori_loop` that append to a list: the scan gives the values out."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters, returns_of
from jaxtutor.core.diagnosis.reading.values import is_zero


class StoreStatement:
    """What a statement stores and where: `self.h = e`, `H["a"] = e`, `H.append(e)`."""

    def __init__(self, module: Module, statement: ast.stmt) -> None:
        self.value: ast.expr | None = None
        self.holder = ""
        self.is_append = False
        match statement:
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=value):
                self.value, self.holder = value, module.text(target)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=holder, attr="append"), args=[value])
            ):
                self.value, self.holder, self.is_append = value, module.text(holder), True


def give_out(module: Module, function: ast.FunctionDef, statement: ast.stmt) -> Draft | None:
    """What the body of a loop appended is what a scan gives out."""
    stored, ends = StoreStatement(module, statement), returns_of(function)
    loop = next((a for a in applied(module) if a.function is function), None)
    if stored.value is None or not stored.is_append or len(ends) != 1 or loop is None:
        return None
    if _is_rebound(function, statement, stored.value):
        return None
    result, call = ends[0].value, loop.node
    if result is None or not isinstance(call, ast.Call):
        return None
    draft = Draft(module).drop(statement)
    if loop.kind == "scan":
        return _second_output(draft, call, result, stored)
    return _scan_of_fori(draft, call, function, result, stored)


def _is_rebound(function: ast.FunctionDef, statement: ast.stmt, value: ast.expr) -> bool:
    """Return whether the value would be another one at the function's end."""
    later = (n for n in own_nodes(function) if getattr(n, "lineno", 0) > statement.lineno)
    return any(names_in(value) & set(bound_names(node)) for node in later)


def _second_output(
    draft: Draft, call: ast.Call, pair: ast.expr, stored: StoreStatement
) -> Draft | None:
    module, assigned = draft.module, draft.module.parents.get(call)
    target = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
    if not isinstance(pair, ast.Tuple) or not isinstance(target, ast.Tuple):
        return None
    is_free = isinstance(pair.elts[-1], ast.Constant) and pair.elts[-1].value is None
    if len(pair.elts) != 2 or not is_free or len(target.elts) != 2 or stored.value is None:
        return None
    draft.replace(pair.elts[1], module.text(stored.value))
    return draft.replace(target.elts[1], stored.holder)


def _scan_of_fori(
    draft: Draft,
    call: ast.Call,
    function: ast.FunctionDef,
    result: ast.expr,
    stored: StoreStatement,
) -> Draft | None:
    """Write a `fori_loop` as the scan over its counter, with the list as its second output."""
    module, given = draft.module, parameters(function)
    lower, upper = argument(call, 0, "lower"), argument(call, 1, "upper")
    body, start = argument(call, 2, "body_fun"), argument(call, 3, "init_val")
    emptied = _emptied(module, call, stored.holder)
    if lower is None or upper is None or body is None or start is None or stored.value is None:
        return None
    if len(given) != 2 or emptied is None or path_of(body) is None:
        return None
    bounds = [upper] if is_zero(lower) else [lower, upper]
    rounds = f"{draft.name('jax.numpy.arange')}({', '.join(map(module.text, bounds))})"
    parts = [module.text(body), module.text(start), rounds]
    scan = f"{draft.name('jax.lax.scan')}({', '.join(parts)})"
    match module.parents.get(call):
        case ast.Assign(targets=[target]):
            text = module.text(target)
            is_bare = isinstance(target, ast.Tuple) and text[:1] != "("
            draft.replace(
                target, f"({text}), {stored.holder}" if is_bare else f"{text}, {stored.holder}"
            )
            draft.replace(call, scan)
        case ast.Expr():
            draft.replace(call, f"_, {stored.holder} = {scan}")
        case _:
            return None
    draft.drop(emptied)
    text, value = module.text(result), module.text(stored.value)
    is_bare = isinstance(result, ast.Tuple) and text[:1] != "("
    draft.replace(result, f"({text}), {value}" if is_bare else f"{text}, {value}")
    counter, state = given
    draft.replace(counter, module.text(state))
    return draft.replace(state, module.text(counter))


def _emptied(module: Module, call: ast.Call, holder: str) -> ast.stmt | None:
    """Return the statement that makes the list, empty, in the function that runs the loop."""
    made = module.assignments(holder, module.function(call) or module.tree)
    match made:
        case [ast.Assign(targets=[ast.Name()], value=ast.List(elts=[]))]:
            return made[0]
        case _:
            return None
