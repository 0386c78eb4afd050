"""Reads expressions that say what they are: numbers, texts, sequences and arithmetic."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import TypeGuard

from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument


def is_number(node: ast.AST | None) -> bool:
    """Return whether an expression is a number written out: `2.5` or `-1`."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)


def is_zero(node: ast.expr | None) -> bool:
    """Return whether an expression is `0` or `0.0`."""
    return isinstance(node, ast.Constant) and node.value == 0


def is_none(node: ast.AST | None) -> TypeGuard[ast.Constant]:
    """Return whether an expression is the constant `None`; an expression that is absent is not."""
    return isinstance(node, ast.Constant) and node.value is None


def is_string(node: ast.AST | None) -> bool:
    """Return whether an expression is a string literal: `"relu"`, but not `f"{name}"`."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_integer(node: ast.expr | None) -> bool:
    """Return whether an expression is a whole number written out: `3` or `-3`, but not `True`."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def strings_in(node: ast.AST) -> set[str]:
    """List the string literals in a node: `"a"`, `"b"` of `f("a", key="b")`."""
    constants = (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def elements(node: ast.AST | None) -> list[ast.expr]:
    """List the elements of a tuple or list display: `a`, `b` of `(a, b)`; none of another value."""
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else []


def elements_or_itself(node: ast.expr | None) -> list[ast.expr]:
    """List the elements of an option that may be a sequence: `0`, `1` of `(0, 1)`, `0` of `0`."""
    if isinstance(node, ast.Tuple | ast.List):
        return list(node.elts)
    return [node] if node is not None else []


def option_strings(node: ast.expr | None) -> list[str]:
    """List the strings of an option: `"x"` and `"y"` of `("x", "y")`, `"x"` of `"x"` alone."""
    items = (item.value for item in elements_or_itself(node) if isinstance(item, ast.Constant))
    return [value for value in items if isinstance(value, str)]


def option_integers(node: ast.expr | None) -> list[int]:
    """List the whole numbers of an option: 0 and 1 of `(0, 1)`, 0 of `0` alone."""
    items = (item.value for item in elements_or_itself(node) if isinstance(item, ast.Constant))
    return [value for value in items if isinstance(value, int)]


def factors(node: ast.AST | None) -> list[ast.expr]:
    """List the two sides of `a * b`; none of any other expression."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [left, right]
    return []


def operands(node: ast.AST) -> Iterator[ast.expr]:
    """List what operators combine: `a`, `b`, `c` of `a + -b * c`; another expression itself."""
    match node:
        case ast.BinOp(left=left, right=right):
            yield from operands(left)
            yield from operands(right)
        case ast.UnaryOp(operand=operand):
            yield from operands(operand)
        case ast.expr():
            yield node


def reduced_array(module: Module, node: ast.AST | None, *reductions: str) -> ast.expr | None:
    """Return `x` of `jnp.mean(x, axis=0)` and of `x.mean(axis=0)`, for the reduction `mean`."""
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) in [f"jax.numpy.{name}" for name in reductions]:
        return node.args[0] if node.args else None
    match node.func:
        case ast.Attribute(value=array, attr=method) if method in reductions:
            return array
    return None


def wholly_reduced_array(module: Module, node: ast.AST | None, *reductions: str) -> ast.expr | None:
    """Return `x` of `jnp.mean(x)` and of `x.mean()`, which reduce all axes and take no option."""
    array = reduced_array(module, node, *reductions)
    options = [*node.args, *node.keywords] if isinstance(node, ast.Call) else []
    return array if all(option is array for option in options) else None


def is_python_scalars(value: ast.expr) -> bool:
    """Return whether an expression is made of Python numbers only: `[0.0, 1.0] * 3`."""
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


def new_array_shape(module: Module, node: ast.AST | None) -> list[ast.expr]:
    """List the sizes of a new array: `n`, `3` of `jnp.ones((n, 3))` and `normal(key, (n, 3))`."""
    path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
    home, _, maker = path.rpartition(".")
    if not isinstance(node, ast.Call):
        return []
    if home == "jax.random":
        return elements(argument(node, 1, "shape"))
    is_filled = home in ("jax.numpy", "numpy") and maker in ("zeros", "ones", "empty", "full")
    return elements(argument(node, 0, "shape")) if is_filled else []


def constant_integer(module: Module, node: ast.AST | None) -> int | None:
    """Compute an integer that an expression stands for: `2**40`, `int(1e9)`, `sys.maxsize`."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Attribute() if module.dotted(node) == "sys.maxsize":
            return LARGEST
        case ast.Attribute(value=ast.Call(func=limits, args=[dtype]), attr="max" | "min" as name):
            is_wide = (module.dotted(dtype) or "").endswith("numpy.int64")
            if is_wide and (module.dotted(limits) or "").endswith("numpy.iinfo"):
                return LARGEST if name == "max" else -LARGEST - 1
        case ast.Call(func=ast.Name(id="int"), args=[ast.Constant(value=float(value))]):
            return int(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = constant_integer(module, operand)
            return -inner if inner is not None else None
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            ours, theirs = constant_integer(module, left), constant_integer(module, right)
            if ours is not None and theirs is not None and theirs >= 0:
                is_small = not isinstance(op, ast.Pow | ast.LShift) or theirs <= MOST_BITS
                return _ARITHMETIC[type(op)](ours, theirs) if is_small else None
    return None


LARGEST = 2**63 - 1
"""The largest integer of 64 bits, which is `sys.maxsize` too."""
MOST_BITS = 128
"""Of a power or shift that is computed."""
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
