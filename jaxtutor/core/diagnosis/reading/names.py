"""Reads names: what they stand for, where a file binds and reads them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import Module, path_of


def last_part(path: str | None) -> str:
    """Return what stands behind the last dot: `mean` of `"jax.numpy.mean"`; empty for None."""
    return (path or "").rpartition(".")[2]


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a name: `mean` of `jnp.mean`; empty for other expressions."""
    return last_part(path_of(node))


def bound_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to the expression that was last assigned to it; itself where not known."""
    if not isinstance(node, ast.Name):
        return node
    for scope in (module.scope(node), module.tree):
        bound = [
            s
            for s in module.assignments(node.id, scope)
            if isinstance(s, ast.Assign)
            and isinstance(s.targets[0], ast.Name)
            and (scope is module.tree or s.lineno < node.lineno)
        ]
        if bound:
            return bound[-1].value
    return node


def iterated(target: ast.expr, source: ast.expr, name: str) -> ast.expr | None:
    """Return what a name of a loop goes through: `b` for `y` in `for x, y in zip(a, b)`."""
    if isinstance(target, ast.Name):
        return source if target.id == name else None
    called = getattr(getattr(source, "func", None), "id", "")
    if not isinstance(source, ast.Call) or called not in ("zip", "enumerate"):
        return None
    arrays = [None, *source.args] if called == "enumerate" else source.args
    parts = zip(getattr(target, "elts", ()), arrays, strict=False)
    found = [iterated(part, array, name) for part, array in parts if array is not None]
    return next((one for one in found if one is not None), None)
