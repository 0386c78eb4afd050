"""Changes a program in one place at a time, as a learner could have written it.

Each change is another operator, a neighbouring number, an option left out, two arguments the other
way round. `lesson test --mutants` asks which changes the checks of a lesson notice, and a wrong
answer is recognised if it is that of one of them: `Mutant.slip` has the words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise, zip_longest

from msgspec import Struct

from jaxtutor.core.data.lines import split_lines

_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}

SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
"""Operators as they are written."""

_LEFT_OUT: dict[type[ast.AST], str] = {
    ast.Add: "a term is left out",
    ast.Sub: "a term is left out",
    ast.Mult: "a factor is left out",
    ast.Div: "a division is left out",
    ast.FloorDiv: "a division is left out",
    ast.Pow: "a power is left out",
    ast.MatMult: "a matrix product is left out",
}

_NAMES = {
    "sum": ("mean",),
    "mean": ("sum",),
    "psum": ("pmean",),
    "pmean": ("psum",),
    "min": ("max", "mean"),
    "max": ("min", "mean"),
    "minimum": ("maximum",),
    "maximum": ("minimum",),
    "argmin": ("argmax",),
    "argmax": ("argmin",),
    "std": ("var",),
    "var": ("std",),
    "sin": ("cos",),
    "cos": ("sin",),
    "zeros": ("ones",),
    "zeros_like": ("ones_like",),
    "cumsum": ("cumprod",),
    "tile": ("repeat",),
}
"""Functions and methods with others beside them that take the same arguments."""

_AT_METHODS = {
    "add": ("set",),
    "set": ("add",),
    "multiply": ("add",),
    "max": ("set",),
    "min": ("set",),
}
"""Methods of `x.at[i]`, and those that are taken for them."""

_SYMMETRIC = frozenset(
    {"maximum", "minimum", "add", "multiply", "logaddexp", "clip", "array_equal", "swapaxes"}
)
"""Functions whose arguments may be exchanged."""

_LARGEST = frozenset({"max", "min"})
"""Functions of Python, but not of NumPy, whose arguments may be exchanged."""

_REFUSALS = frozenset({"strict"})
"""Options that only refuse arguments, and change no result."""

_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)
"""Statements that are swapped with the next one."""

_SIDES_SWAPPED = "the two sides of a `{}` are swapped"

_SIGN_CHANGES = _SIDES_SWAPPED.format("-")
"""A slip that changes a sign, and nothing else."""

NUMBER = "a number is"
"""The first words about a change of a plain number."""

Change = tuple[str, str]
"""The text that takes the place of an expression, and what is wrong with it."""


class Mutant(Struct, frozen=True):
    """A changed program, its first line that changed, and that line before and after.

    `slip` says what is wrong with it, in a sentence without a capital.
    """

    line: int
    before: str
    after: str
    source: str
    slip: str = ""


def mutants(source: str, given: str = "") -> Iterator[Mutant]:
    """Yield the program with each change, those of one line first. Raises SyntaxError.

    Top-level statements that `given` has too are not changed: the learner does not write them.
    """
    known = _statements(given)
    changed = [it for it in ast.parse(source).body if ast.dump(it) not in known]
    lines = source.encode().splitlines(keepends=True)
    seen = {_program(source), ""}
    for text, slip in (*_changed_expressions(changed, lines), *_swapped_lines(changed, lines)):
        program = _program(text)
        if program not in seen:
            seen.add(program)
            yield _compare(source, text, slip)


def _program(source: str) -> str:
    """Return what Python reads, which may be the same in another text; empty if it cannot."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # such as a slice in parentheses
        return ""


def _statements(text: str) -> frozenset[str]:
    """Return the top-level statements that Python reads; none if it cannot."""
    try:
        return frozenset(map(ast.dump, ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _changed_expressions(statements: list[ast.stmt], lines: list[bytes]) -> Iterator[Change]:
    every = [n for it in statements for n in ast.walk(it)]
    kept = {id(n.value) for n in every if isinstance(n, ast.keyword) and n.arg in _REFUSALS}
    kept |= {id(n.exc) for n in every if isinstance(n, ast.Raise)}  # a text cannot be raised
    unsigned = {id(_without_sign(n)) for n in every}
    nodes = [n for n in every if isinstance(n, ast.expr) and id(n) not in kept]
    nodes.sort(key=lambda n: (n.lineno, n.col_offset, -(n.end_col_offset or 0)))
    for node in nodes:
        for text, slip in _changes(node):
            if slip != _SIGN_CHANGES or id(node) not in unsigned:
                yield _replace(lines, node, text), slip


def _without_sign(node: ast.AST) -> ast.expr | None:
    """Return what counts without its sign alone: `x` in `x**2` and in `abs(x)`."""
    match node:
        case ast.BinOp(left=held, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return held if power % 2 == 0 else None
        case ast.Call(
            func=ast.Name(id="abs") | ast.Attribute(attr="abs" | "square" | "norm"), args=[held]
        ):
            return held
    return None


def _swapped_lines(statements: list[ast.stmt], lines: list[bytes]) -> Iterator[Change]:
    """Yield the program with two statements of a block in the other order."""
    blocks = [getattr(n, "body", None) for it in statements for n in ast.walk(it)]
    whole = b"".join(lines)
    for block in blocks:
        for first, second in pairwise(block if isinstance(block, list) else ()):
            if _is_simple(first) and _is_simple(second) and not _are_apart(first, second):
                (a, b), (c, d) = _span(lines, first), _span(lines, second)
                moved = whole[:a] + whole[c:d] + whole[b:c] + whole[a:b] + whole[d:]
                yield moved.decode(), "two lines are swapped"


def _is_simple(statement: ast.stmt) -> bool:
    """Return whether a statement computes something, in one piece."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, _SIMPLE) and not is_text


def _are_apart(first: ast.stmt, second: ast.stmt) -> bool:
    """Return whether neither of two assignments has to do with the names that the other sets."""
    if not (isinstance(first, ast.Assign) and isinstance(second, ast.Assign)):
        return False
    is_set_here = _names(*first.targets) & _names(second)
    is_set_there = _names(*second.targets) & _names(first)
    return not (is_set_here or is_set_there)


def _names(*nodes: ast.AST) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def _compare(source: str, changed: str, slip: str) -> Mutant:
    pairs = zip_longest(split_lines(source), split_lines(changed), fillvalue="")
    row, (before, after) = next((n, p) for n, p in enumerate(pairs, 1) if p[0] != p[1])
    return Mutant(row, before.strip(), after.strip(), changed, slip)


def _replace(lines: list[bytes], node: ast.expr, text: str) -> str:
    start, end = _span(lines, node)
    whole = b"".join(lines)
    return (whole[:start] + text.encode() + whole[end:]).decode()


def _span(lines: list[bytes], node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return the first byte of a node, and the one after its last."""
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 1) - 1])) + (node.end_col_offset or 0)
    return start, end


def _changes(node: ast.expr) -> Iterator[Change]:
    """Yield what may stand in the place of an expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield str(not value), f"`{not value}` stands in the place of `{value}`"
        case ast.Constant(value=int() | float() as number):
            yield from _neighbours(number)
        case ast.UnaryOp(operand=inner) if not isinstance(inner, ast.Constant):
            is_sign = isinstance(node.op, ast.USub)
            yield _written(inner), "a minus sign is left out" if is_sign else "a `~` is left out"
        case ast.BinOp():
            yield from _operations(node)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for other in _OPERATORS.get(type(op), ()):
                changed = ast.Compare(left, [other()], [right])  # type: ignore[list-item]
                yield _written(changed), _in_place(other, type(op))
        case ast.Call():
            yield from _calls(node)
        case _:
            yield from _arrangements(node)


def _arrangements(node: ast.expr) -> Iterator[Change]:
    """Yield an index that is off by one, an array without its slice, items in another order."""
    match node:
        case ast.Subscript(value=held, slice=ast.Slice(), ctx=ast.Load()):
            yield _written(held), f"`[{ast.unparse(node.slice)}]` is left out"
        case ast.Subscript(value=held, slice=ast.Name() as index, ctx=ast.Load()):
            for op, words in ((ast.Sub(), "small"), (ast.Add(), "large")):
                moved = ast.BinOp(index, op, ast.Constant(1))
                changed = ast.Subscript(held, moved, ast.Load())
                yield _written(changed), f"an index is one too {words}"
        case ast.Attribute(value=held, attr="T", ctx=ast.Load()):
            yield _written(held), "a transpose is left out"
        case ast.Tuple(elts=[first, second], ctx=ast.Load()):
            pair = ast.Tuple([second, first], ast.Load())
            yield _written(pair), "the parts of a pair are swapped"
        case ast.List(elts=parts, ctx=ast.Load()):
            for places in pairwise(range(len(parts))):
                swapped = ast.List(_exchanged(parts, *places), ast.Load())
                yield _written(swapped), "two entries of a list are swapped"


def _in_place(got: type[ast.AST], wanted: type[ast.AST]) -> str:
    return f"`{SIGNS[got]}` stands in the place of `{SIGNS[wanted]}`"


def _operations(node: ast.BinOp) -> Iterator[Change]:
    left, op, right = node.left, node.op, node.right
    kind = type(op)
    for other in _OPERATORS.get(kind, ()):
        changed = ast.BinOp(left, other(), right)  # type: ignore[arg-type]
        yield _written(changed), _in_place(other, kind)
    yield _written(left), _left_out(kind, right)
    if not isinstance(op, ast.Pow | ast.Mod | ast.FloorDiv):
        is_complement = isinstance(op, ast.Sub) and isinstance(left, ast.Constant)
        one_minus = f"`{ast.unparse(left)} -` is left out"
        yield _written(right), one_minus if is_complement else _left_out(kind, left)
    if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
        yield _written(ast.BinOp(right, op, left)), _SIDES_SWAPPED.format(SIGNS[kind])
    yield from _regroupings(node)
    if isinstance(op, ast.Pow):
        absolute = ast.Call(ast.Name("abs", ast.Load()), [left], [])
        yield _written(absolute), "an absolute value stands in the place of a power"


def _regroupings(node: ast.BinOp) -> Iterator[Change]:
    """Yield a sum of products with its weights swapped, or with a product of the sum."""
    match node:
        case ast.BinOp(ast.BinOp(a, ast.Mult(), b), ast.Add(), ast.BinOp(c, ast.Mult(), d)):
            swapped = ast.BinOp(ast.BinOp(c, ast.Mult(), b), ast.Add(), ast.BinOp(a, ast.Mult(), d))
            yield _written(swapped), "the weights of a sum are swapped"
        case ast.BinOp(a, ast.Add() | ast.Sub() as op, ast.BinOp(b, ast.Mult(), c)):
            for factor, other in ((b, c), (c, b)):
                grouped = ast.BinOp(factor, ast.Mult(), ast.BinOp(a, op, other))
                yield _written(grouped), "a factor of one term multiplies the whole sum"


def _left_out(kind: type[ast.AST], dropped: ast.expr) -> str:
    """Say what is missing; a plain number is named."""
    plain = _LEFT_OUT.get(kind, "a part is left out")
    if not isinstance(dropped, ast.Constant):
        return plain
    number = ast.unparse(dropped)
    if kind is ast.Pow:
        return "a square is left out" if number == "2" else plain
    named: dict[type[ast.AST], str] = {
        ast.Mult: f"a factor of {number}",
        ast.Div: f"a division by {number}",
    }
    return f"{named.get(kind, f'a term of {number}')} is left out"


def _neighbours(number: float) -> Iterator[Change]:
    if isinstance(number, int):
        yield str(number + 1), f"{NUMBER} {number + 1} in place of {number}"
        if number > 0:
            yield str(number - 1), f"{NUMBER} {number - 1} in place of {number}"
    elif number:
        yield repr(number * 2), f"{NUMBER} {number * 2!r} in place of {number!r}"


def _calls(call: ast.Call) -> Iterator[Change]:
    """Yield a call without an option, with two arguments exchanged, or of a similar function."""
    func, args, keywords = call.func, call.args, call.keywords
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "a function")
    for other in _similar(func):
        assert isinstance(func, ast.Attribute)
        changed = ast.Call(ast.Attribute(func.value, other, ast.Load()), args, keywords)
        yield _written(changed), f"`{other}` stands in the place of `{name}`"
    for left_out in keywords:
        if left_out.arg in _REFUSALS:
            continue
        rest = [keyword for keyword in keywords if keyword is not left_out]
        yield _written(ast.Call(func, args, rest)), f"`{left_out.arg}` of `{name}` is left out"
    plain = not any(isinstance(arg, ast.Starred) for arg in args)
    is_symmetric = name in (_LARGEST if isinstance(func, ast.Name) else _SYMMETRIC)
    if plain and len(args) > 1 and not is_symmetric:
        start = 1 if name == "where" and len(args) == 3 else 0
        for pair in pairwise(range(start, len(args))):
            changed = ast.Call(func, _exchanged(args, *pair), keywords)
            yield _written(changed), f"two arguments of `{name}` are swapped"
    if plain and len(args) == 1 and not isinstance(args[0], ast.Lambda):
        yield _written(args[0]), f"`{name}` is left out"
        if isinstance(power := args[0], ast.BinOp) and isinstance(power.op, ast.Pow):
            moved = ast.BinOp(ast.Call(func, [power.left], keywords), power.op, power.right)
            yield _written(moved), f"a power is taken after `{name}` and not before"


def _similar(func: ast.expr) -> tuple[str, ...]:
    """Return the names of functions that are taken for this one."""
    match func:
        case ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")), attr=name):
            return _AT_METHODS.get(name, ())
        case ast.Attribute(attr=name):
            return _NAMES.get(name, ())
    return ()


def _exchanged(items: list[ast.expr], first: int, second: int) -> list[ast.expr]:
    changed = [*items]
    changed[first], changed[second] = items[second], items[first]
    return changed


def _written(node: ast.expr) -> str:
    text = ast.unparse(node)
    is_closed = isinstance(
        node,
        ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript | ast.Tuple | ast.List,
    )
    return text if is_closed else f"({text})"
