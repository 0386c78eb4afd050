"""Changes a program in one place at a time, to see which changes its checks notice.

Each change is one that a learner could have made: another operator, a neighbouring number, an
option left out, two arguments the other way round.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import zip_longest

from msgspec import Struct

from jaxtutor.core.data.lines import split_lines

_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}

_NAMES = {
    "sum": "mean",
    "mean": "sum",
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "argmin": "argmax",
    "argmax": "argmin",
    "std": "var",
    "var": "std",
    "zeros": "ones",
    "zeros_like": "ones_like",
    "cumsum": "cumprod",
}
"""Functions and methods with others beside them that take the same arguments."""

_SYMMETRIC = frozenset(
    {"maximum", "minimum", "add", "multiply", "logaddexp", "clip", "array_equal"}
)
"""Functions whose arguments may be exchanged."""


class Mutant(Struct, frozen=True):
    """A changed program, its first line that changed, and that line before and after."""

    line: int
    before: str
    after: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Yield the program with each change, in the order of the lines. Raises SyntaxError."""
    tree = ast.parse(source)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.expr)]
    nodes.sort(key=lambda n: (n.lineno, n.col_offset, -(n.end_col_offset or 0)))
    lines = source.encode().splitlines(keepends=True)
    seen = {source}
    for node in nodes:
        for text in _changes(node):
            changed = _replace(lines, node, text)
            if changed not in seen:
                seen.add(changed)
                yield _compare(source, changed)


def _compare(source: str, changed: str) -> Mutant:
    pairs = zip_longest(split_lines(source), split_lines(changed), fillvalue="")
    row, (before, after) = next((n, p) for n, p in enumerate(pairs, 1) if p[0] != p[1])
    return Mutant(row, before.strip(), after.strip(), changed)


def _replace(lines: list[bytes], node: ast.expr, text: str) -> str:
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 1) - 1])) + (node.end_col_offset or 0)
    whole = b"".join(lines)
    return (whole[:start] + text.encode() + whole[end:]).decode()


def _changes(node: ast.expr) -> Iterator[str]:
    """Yield the texts that may stand in the place of an expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int() | float() as number):
            yield from _neighbours(number)
        case ast.UnaryOp(operand=inner) if not isinstance(inner, ast.Constant):
            yield _written(inner)
        case ast.BinOp(left=left, op=op, right=right):
            for other in _OPERATORS.get(type(op), ()):
                yield _written(ast.BinOp(left, other(), right))  # type: ignore[arg-type]
            yield _written(left)
            if not isinstance(op, ast.Pow | ast.Mod | ast.FloorDiv):
                yield _written(right)
            if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
                yield _written(ast.BinOp(right, op, left))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for other in _OPERATORS.get(type(op), ()):
                yield _written(ast.Compare(left, [other()], [right]))  # type: ignore[list-item]
        case ast.Call():
            yield from _calls(node)
        case ast.Tuple(elts=[first, second], ctx=ast.Load()):
            yield _written(ast.Tuple([second, first], ast.Load()))


def _neighbours(number: float) -> Iterator[str]:
    if isinstance(number, int):
        yield str(number + 1)
        if number > 0:
            yield str(number - 1)
    elif number:
        yield repr(number * 2)


def _calls(call: ast.Call) -> Iterator[str]:
    """Yield a call without an option, with two arguments exchanged, or of a similar function."""
    func, args, keywords = call.func, call.args, call.keywords
    name = func.attr if isinstance(func, ast.Attribute) else None
    if isinstance(func, ast.Attribute) and func.attr in _NAMES:
        other = ast.Attribute(func.value, _NAMES[func.attr], ast.Load())
        yield _written(ast.Call(other, args, keywords))
    for left_out in keywords:
        rest = [keyword for keyword in keywords if keyword is not left_out]
        yield _written(ast.Call(func, args, rest))
    plain = not any(isinstance(arg, ast.Starred) for arg in args)
    if plain and len(args) > 1 and name not in _SYMMETRIC:
        start = 1 if name == "where" and len(args) == 3 else 0
        pair = [args[start + 1], args[start]]
        yield _written(ast.Call(func, [*args[:start], *pair, *args[start + 2 :]], keywords))
    if plain and len(args) == 1 and not isinstance(args[0], ast.Lambda):
        yield _written(args[0])


def _written(node: ast.expr) -> str:
    text = ast.unparse(node)
    is_closed = isinstance(
        node, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript | ast.Tuple
    )
    return text if is_closed else f"({text})"
