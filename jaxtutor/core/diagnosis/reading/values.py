"""Reads expressions that say what they are: numbers, texts, sequences and arithmetic."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import Module


def is_number(node: ast.AST | None) -> bool:
    """Return whether an expression is a number written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)


def is_zero(node: ast.expr | None) -> bool:
    """Return whether an expression is `0` or `0.0`."""
    return isinstance(node, ast.Constant) and node.value == 0


def is_string(node: ast.AST | None) -> bool:
    """Return whether an expression is a string literal: `"relu"`, but not `f"{name}"`."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def elements(node: ast.AST | None) -> list[ast.expr]:
    """List the elements of a tuple or list display: `a`, `b` of `(a, b)`; none of another value."""
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else []


def elements_or_itself(node: ast.expr) -> list[ast.expr]:
    """List the elements of a tuple or list display; another value is its own only element."""
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else [node]


def factors(node: ast.AST | None) -> list[ast.expr]:
    """List the two sides of `a * b`; none of any other expression."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [left, right]
    return []


def reduced_array(module: Module, node: ast.AST | None, reduction: str) -> ast.expr | None:
    """Return `x` of `jnp.mean(x)` and of `x.mean()`, for the reduction `mean` over all axes."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if module.dotted(node.func) == f"jax.numpy.{reduction}":
        return node.args[0] if len(node.args) == 1 else None
    match node:
        case ast.Call(func=ast.Attribute(value=array, attr=method), args=[]) if method == reduction:
            return array
    return None


def is_python_scalars(value: ast.expr) -> bool:
    """Return whether an expression is made of Python numbers only."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float | complex)
        case ast.UnaryOp(operand=operand):
            return is_python_scalars(operand)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return bool(items) and all(map(is_python_scalars, items))
        case ast.BinOp(left=left, op=ast.Mult()):
            return isinstance(left, ast.List | ast.Tuple) and is_python_scalars(left)
        case ast.Dict(values=values):
            return bool(values) and all(map(is_python_scalars, values))
        case ast.ListComp(elt=item):
            return is_python_scalars(item)
    return False
