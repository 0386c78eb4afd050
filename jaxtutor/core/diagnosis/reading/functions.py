"""Reads functions and blocks: parameters, results, the statements around one."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes


def parameters(function: FunctionNode | None) -> list[ast.arg]:
    """List the parameters of a function in the order of its signature."""
    if function is None:
        return []
    given = function.args
    rest = [a for a in (given.vararg, given.kwarg) if a is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def returned(function: FunctionNode) -> list[ast.expr | None]:
    """List what a function returns; None stands for a bare return."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [n.value for n in returns_of(function)]


def returns_of(function: FunctionNode) -> list[ast.Return]:
    """List the return statements of a function, not those of functions inside it."""
    if isinstance(function, ast.Lambda):
        return []
    return [n for n in own_nodes(function) if isinstance(n, ast.Return)]


def result_of(function: FunctionNode) -> ast.expr | None:
    """Return the expression that a function returns, where there is only one."""
    if isinstance(function, ast.Lambda):
        return function.body
    ends = returns_of(function)
    return ends[0].value if len(ends) == 1 else None


def block_of(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """Return the block in which a statement stands."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return []
