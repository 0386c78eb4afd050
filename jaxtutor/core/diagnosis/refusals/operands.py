"""Says which operand arithmetic refused: bits of floats, dicts, functions that are not called."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal
from jaxtutor.core.diagnosis.refusals.kinds import OF_CLASS, of_class

_BITS = {
    ast.BitXor: ("^", "is exclusive or"),
    ast.LShift: ("<<", "shifts bits"),
    ast.RShift: (">>", "shifts bits"),
    ast.BitAnd: ("&", "is a bitwise and"),
    ast.BitOr: ("|", "is a bitwise or"),
}


_NOT_ACCEPTED = re.compile(r"\w+ does not accept dtype (\w+)")


def bits_of_floats(failed: FailedExpression) -> Refusal | None:
    """An operator on bits meets floats: mostly `^`, which is a power elsewhere."""
    said, node = _NOT_ACCEPTED.match(failed.message), failed.node
    operator = _BITS.get(type(node.op)) if isinstance(node, ast.BinOp) else None
    if said is None or operator is None:
        return None
    assert isinstance(node, ast.BinOp)
    mark, is_what = operator
    says = (
        f"`{mark}` {is_what}, for integers and booleans, and in `{failed.text(node)}` it gets"
        f" `{said[1]}`."
    )
    if mark == "^":
        return Refusal(says, f"Write a power with `**`: `{_as_power(failed, node)}`.")
    if mark in ("<<", ">>"):
        other = "/" if mark == ">>" else "*"
        return Refusal(says, f"Multiply or divide by a power of two: `x {other} 2`.")
    return Refusal(
        says, f"Put each comparison in parentheses: `(a > 0) {mark} (b > 0)` combines conditions."
    )


def _as_power(failed: FailedExpression, node: ast.BinOp) -> str:
    """Write an expression with `**` for its `^`: the power then binds as it was meant."""
    left, whole = failed.frame.module.text(node.left), failed.frame.module.text(node)
    begin = whole.find(left) + len(left)
    place = whole.find("^", begin)
    return " ".join(f"{whole[:place]}**{whole[place + 1 :]}".split())


def minus_of_booleans(failed: FailedExpression) -> Refusal | None:
    """A minus stands before a mask."""
    said, node = _NOT_ACCEPTED.match(failed.message), failed.node
    if said is None or said[1] != "bool" or not isinstance(node, ast.UnaryOp):
        return None
    operand = atom(failed.frame.module, node.operand)
    return Refusal(
        f"`{failed.text(node.operand)}` holds booleans, which have no negative.",
        f"Write `~{operand}` for its opposite, or `-{operand}.astype(int)` for numbers.",
    )


_OPERANDS = (
    re.compile(r"unsupported operand type\(s\) for (.+): '([\w.]+)' and '([\w.]+)'"),
    re.compile(r"'(\S+)' not supported between instances of '([\w.]+)' and '([\w.]+)'"),
)


def operand(failed: FailedExpression) -> Refusal | None:
    """An operand is neither an array nor a number: a dict, a range, a method without its call."""
    said = next((found for it in _OPERANDS if (found := it.match(failed.message))), None)
    sides = _sides(failed.node)
    if said is None or sides is None:
        return None
    operator = said[1].partition(" or ")[0].removesuffix("=")
    refused = [
        (side, class_name)
        for side, class_name in zip(sides, said.groups()[1:], strict=True)
        if class_name in OF_CLASS
    ]
    if not refused:
        return None
    side, class_name = refused[0]
    if class_name == "dict":
        return _tree_operand(failed, operator, [side for side, name in refused if name == "dict"])
    if class_name == "set":
        mark = "|=" if isinstance(failed.node, ast.AugAssign) else "|"
        text = f"{failed.text(sides[0])} {mark} {failed.text(sides[1])}"
        return Refusal(f"`{failed.text(side)}` is a set.", f"Join sets with `|`: `{text}`.")
    return of_class(failed, side, class_name, f"`{operator}` works on arrays and numbers")


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    match node:
        case ast.BinOp(left=left, right=right) | ast.AugAssign(target=left, value=right):
            return left, right
        case ast.Compare(left=left, comparators=[right]):
            return left, right
        case _:
            return None


def _tree_operand(failed: FailedExpression, operator: str, trees: list[ast.expr]) -> Refusal:
    """Compute with the arrays of a dict: with those of others, too, that have the same key."""
    says = f"`{failed.text(trees[0])}` is a dict, and `{operator}` works on arrays and numbers."
    if operator == "@":
        return Refusal(
            says,
            "Take the arrays that are meant out of the dict, or put all into one vector:"
            f" `ravel_pytree({failed.text(trees[0])})[0]`, from `jax.flatten_util`.",
        )
    whole = _largest_arithmetic(failed)
    keys = [failed.text(it.slice) for it in trees if isinstance(it, ast.Subscript)]
    alike = [
        part
        for part in ast.walk(whole)
        if isinstance(part, ast.Subscript) and failed.text(part.slice) in keys
    ]
    names = dict.fromkeys(failed.text(it) for it in (*alike, *trees))
    written = failed.text(whole)
    letters = _letters(list(names))
    for name, letter in zip(names, letters, strict=True):
        written = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", letter, written)
    mapped = f"jax.tree.map(lambda {', '.join(letters)}: {written}, {', '.join(names)})"
    return Refusal(says, f"Compute with the arrays in it: `{mapped}`.")


def _largest_arithmetic(failed: FailedExpression) -> ast.AST:
    found = failed.node
    for outer in failed.frame.module.ancestors(found):
        if not isinstance(outer, ast.BinOp):
            break
        found = outer
    return found


def _letters(names: list[str]) -> list[str]:
    """Name the leaves after the first letters of their trees, or a, b, … where two are alike."""
    letters = [name[0].lower() for name in names]
    return letters if len(set(letters)) == len(names) else list("abcdefgh"[: len(names)])


_SPACES = re.compile(r"memory_space of all inputs passed to `\w+` must be the same")


def memory_spaces(failed: FailedExpression) -> Refusal | None:
    """An operation gets one array of the device's memory, and one of the host's."""
    if _SPACES.match(failed.message) is None:
        return None
    names = [it for it in ast.walk(failed.node) if isinstance(it, ast.Name | ast.Attribute)]
    on_host = dict.fromkeys(failed.text(it) for it in names if "<host>" in failed.kind(it))
    name = next(iter(on_host)) if len(on_host) == 1 else "x"
    return Refusal(
        f"`{failed.text(failed.node)}` gets arrays of two memory spaces, the device's and the"
        " host's.",
        f"Move what is on the host first: `jax.device_put({name}, jax.memory.Space.Device)`. The"
        " type of such an array says `<host>`.",
    )


_REPEATED = re.compile(r"can.t multiply sequence by non-int of type '(\w+)'")


def repeated(failed: FailedExpression) -> Refusal | None:
    """A list is repeated by a number that is not whole, or a list or tuple is multiplied."""
    said, sides = _REPEATED.match(failed.message), _sides(failed.node)
    if said is None or sides is None:
        return None
    is_list = [isinstance(it, ast.List | ast.Tuple) for it in sides]
    if said[1] == "float" and any(is_list):
        number = failed.text(sides[0 if is_list[1] else 1])
        sequence = failed.text(sides[1 if is_list[1] else 0])
        return Refusal(
            f"`{number}` is a float, and a list is repeated a whole number of times.",
            f"Convert it: `{sequence} * int({number})`.",
        )
    for side in sides:
        kind = failed.frame.kind(side)
        if kind in ("list", "tuple"):
            return of_class(failed, side, kind, "`*` works on arrays and numbers")
    return None
