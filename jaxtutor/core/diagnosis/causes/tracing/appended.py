"""Fixes bodies of `scan` that append to a list: the scan gives the values out."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in, own_nodes
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.functions import returns_of


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
    if loop.kind != "scan":
        return None
    return _second_output(Draft(module).drop(statement), call, result, stored)


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
