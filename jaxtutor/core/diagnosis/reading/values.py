"""Reads expressions that say what they are: numbers, texts, sequences and arithmetic."""

from __future__ import annotations

import ast


def is_number(node: ast.AST | None) -> bool:
    """Return whether an expression is a number written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)


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
