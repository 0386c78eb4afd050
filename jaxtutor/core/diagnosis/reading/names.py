"""Reads names: what they stand for, where a file binds and reads them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.scopes import reads_of
from jaxtutor.core.diagnosis.engine.source import Module, path_of


def last_part(path: str | None) -> str:
    """Return what stands behind the last dot: `mean` of `"jax.numpy.mean"`; empty for None."""
    return (path or "").rpartition(".")[2]


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a name: `mean` of `jnp.mean`; empty for other expressions."""
    return last_part(path_of(node))


def all_names(node: ast.AST) -> set[str]:
    """List the plain names in a node, read or bound: `x`, `y`, `f` of `y = f(x)`."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def load_sites(scope: ast.AST, name: str) -> list[ast.Name]:
    """List the places in a node where a plain name is read: both `x` of `x * x`.

    Not those in a function or comprehension that binds the name itself: `x` of `lambda x: x`.
    """
    return reads_of(scope, name)


def is_assignment_to(node: ast.AST, path: str | None) -> bool:
    """Return whether a statement assigns a name or attribute whole: `self.w` by `self.w = w`."""
    return isinstance(node, ast.Assign) and path in map(path_of, node.targets)


def assigned_values(module: Module, path: str | None) -> list[ast.expr]:
    """List what a file assigns to a name or attribute: `8` for `self.size` by `self.size = 8`."""
    if path is None:
        return []
    statements = (node for node in module.nodes if isinstance(node, ast.Assign))
    return [node.value for node in statements if path in map(path_of, node.targets)]


def assigned_value(module: Module, node: ast.AST | None) -> ast.expr | None:
    """Return what a name was last assigned, or an attribute by its only assignment.

    `jnp.ones(3)` for `w` after `w = jnp.ones(3)`; None for other expressions.
    """
    if isinstance(node, ast.Name):
        value = bound_value(module, node)
        return None if value is node else value
    values = assigned_values(module, path_of(node)) if isinstance(node, ast.Attribute) else []
    return values[0] if len(values) == 1 else None


def bound_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to its last assignment: `x` to `f(1)` by `x = f(1)`; else return the node."""
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
