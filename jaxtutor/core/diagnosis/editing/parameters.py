"""Gives a function another parameter, and every call of it the argument."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import add_argument, fresh_name
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied
from jaxtutor.core.diagnosis.reading.calls import calls_to
from jaxtutor.core.diagnosis.reading.names import last_name

MOST_FUNCTIONS = 4
"""Functions, one calling the other, that a parameter is passed through."""
_COMPILED = ("jit", "grad", "value_and_grad", "vmap")


def transformed(module: Module, function: FunctionNode) -> list[AppliedTransform]:
    """List the places where a function is compiled, mapped or differentiated."""
    return [a for a in applied(module) if a.function is function and a.kind in _COMPILED]


def call_sites(
    module: Module, function: FunctionNode, items: list[AppliedTransform]
) -> list[ast.Call]:
    """List the calls of a function, or of what its transformations are called."""
    names = {getattr(function, "name", "")} if not items or items[0].is_decorator else set()
    found: list[ast.Call] = []
    for item in items:
        if item.is_decorator:
            continue
        parent = module.parents.get(item.node)
        if isinstance(parent, ast.Call) and parent.func is item.node:
            found.append(parent)
        elif isinstance(parent, ast.Assign):
            names |= {last_name(t) for t in parent.targets}
    for name in names - {""}:
        found.extend(calls_to(module, name))
    inside = set(map(id, ast.walk(function)))
    return [call for call in dict.fromkeys(found) if id(call) not in inside]


def add_parameter(draft: Draft, function: ast.FunctionDef, name: str) -> bool:
    """Add a last parameter; return False where it cannot be passed by position."""
    arguments = function.args
    if arguments.defaults or arguments.kwonlyargs:
        return False
    names = [*arguments.posonlyargs, *arguments.args]
    if not names:
        header = draft.module.header(function)
        column = draft.module.lines[header.line - 1].find("(") + 1
        span = type(header)(header.line, column, header.line, column)
        draft.replace(span, name)
        return column > 0
    draft.after(names[-1], f", {name}")
    return True


def hoist(
    module: Module, node: ast.expr, function: ast.FunctionDef, preferred: str
) -> Draft | None:
    """Turn an expression of a traced function into an argument that its callers give."""
    name = fresh_name(module, preferred, f"fresh_{preferred}")
    draft = Draft(module).replace(node, name)
    return pass_through(draft, function, name, module.text(node))


def pass_through(draft: Draft, function: ast.FunctionDef, name: str, text: str) -> Draft | None:
    """Add a parameter to a function, and to the traced functions that call it.

    Calls from outside pass `text`; calls from traced functions pass their own parameter.
    """
    module, waiting, done = draft.module, [function], list[ast.FunctionDef]()
    while waiting and len(done) < MOST_FUNCTIONS:
        current = waiting.pop()
        done.append(current)
        calls = call_sites(module, current, transformed(module, current))
        variadic = current.args.vararg or current.args.kwarg
        if not calls or variadic or not add_parameter(draft, current, name):
            return None
        for call in calls:
            caller = _outermost(module, call)
            is_inner = caller is not None and _is_traced(module, caller)
            given = name if is_inner else text
            add_argument(draft, call, f"{name}={given}" if call.keywords else given)
            if is_inner and caller is not None and caller not in (*done, *waiting):
                waiting.append(caller)
    return None if waiting else draft


def _outermost(module: Module, node: ast.AST) -> ast.FunctionDef | None:
    """Return the outermost function around a node: the functions inside it see its parameters."""
    around = [n for n in module.ancestors(node) if isinstance(n, ast.FunctionDef)]
    return around[-1] if around else None


def _is_traced(module: Module, function: ast.FunctionDef, depth: int = 0) -> bool:
    """Return whether a function is transformed, or called by one that is."""
    items = transformed(module, function)
    if items or depth == MOST_FUNCTIONS:
        return bool(items)
    callers = (_outermost(module, call) for call in call_sites(module, function, items))
    return any(c is not None and _is_traced(module, c, depth + 1) for c in callers)
