"""Reads the loops of a program: what a round binds, and what one round hands to the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes, path_of

Loop = ast.For | ast.While | ast.AsyncFor
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def loop_around(module: Module, node: ast.AST) -> Loop | None:
    """Find the innermost loop around a node in its function: `for i in r: f(i)` for `f(i)`."""
    inner = node
    for outer in module.ancestors(node):
        if isinstance(outer, _FUNCTIONS):
            return None
        if isinstance(outer, Loop) and inner in (*outer.body, *outer.orelse):
            return outer
        inner = outer
    return None


def paths_bound_in(loop: ast.AST) -> set[str]:
    """List what a loop or function binds: `i`, `x`, `self.n` of `for i in r: x = self.n = i`."""
    found = {name for node in own_nodes(loop) for name in bound_names(node)}
    found |= bound_names(loop)
    for node in ast.walk(loop):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            path = path_of(node)
            found |= {path} if path is not None else set()
        elif isinstance(node, ast.NamedExpr):
            found.add(node.target.id)
    return found


def paths_in(node: ast.AST) -> set[str]:
    """List the names and attributes in an expression: `f`, `a.b`, `a` of `f(a.b)`."""
    nodes = [n for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Name)]
    return {path for n in nodes if (path := path_of(n)) is not None}


def carried(module: Module, loop: Loop, call: ast.AST) -> set[str]:
    """List what a call reads from an earlier round: `state` of `state = step(state)`.

    A name that every round binds before the call does not count, nor does the loop's own target.
    """
    statement = module.statement(call)
    if statement is None:
        return set()
    read = paths_in(call)
    before = set[str]()
    after = set[str]()
    for node in _statements(loop):
        names = _stored_paths(node)
        if (node.lineno, node.col_offset) < (statement.lineno, statement.col_offset):
            before |= names - {n for n in names if n in paths_in(node) and updates_itself(node, n)}
        after |= names
    return (read & after) - before - set(_loop_names(loop))


def _statements(loop: ast.AST) -> Iterator[ast.stmt]:
    for node in own_nodes(loop):
        if isinstance(node, ast.stmt):
            yield node


def _stored_paths(statement: ast.stmt) -> set[str]:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    stored = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name | ast.Attribute)]
    return {path for n in stored if isinstance(n.ctx, ast.Store) and (path := path_of(n))}


def updates_itself(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement computes a name from itself: `x` in `x = x + 1`."""
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.AugAssign) or (value is not None and name in paths_in(value))


def _loop_names(loop: Loop) -> Iterator[str]:
    if isinstance(loop, ast.For | ast.AsyncFor):
        yield from (n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name))
