"""Writes a Python condition as one on arrays: `and` as `&`, a chain as two comparisons."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import is_in_parentheses

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def truth(draft: Draft, node: ast.expr) -> str | None:
    """Write a condition so that arrays can be in it; None where that cannot be done."""
    match node:
        case ast.BoolOp():
            return _bool_op(draft, node)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _negation(draft, operand)
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return _membership(draft, node)
        case ast.Compare(ops=ops) if any(isinstance(op, ast.Is | ast.IsNot) for op in ops):
            return None
        case ast.Compare() if (grouped := regrouped(draft.module, node)) is not None:
            return grouped
        case ast.Compare(ops=[_, _, *_]):
            return _chain(draft, node)
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return truth(draft, inner)
        case ast.Call(func=ast.Name(id="any" | "all")):
            return asked_of_all(draft, node)
    return draft.module.text(node)


def negated(draft: Draft, node: ast.expr) -> str | None:
    """Write the opposite of a condition on arrays."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return truth(draft, node.operand)
    return _negation(draft, node)


def is_boolean(node: ast.expr) -> bool:
    """Return whether an expression is a condition by its form: `~` and `&` are safe on it."""
    match node:
        case ast.Compare():
            return True
        case ast.BoolOp(values=values):
            return all(map(is_boolean, values))
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("any", "all", "isfinite", "isnan", "isinf") or name[:8] == "logical_"
    return False


def asked_of_all(draft: Draft, call: ast.Call) -> str | None:
    """Write the builtin any() or all() as the one for arrays."""
    if not isinstance(call.func, ast.Name) or len(call.args) != 1:
        return None
    return f"{draft.name('jax.numpy.' + call.func.id)}({stacked(draft, call.args[0])})"


def stacked(draft: Draft, items: ast.expr) -> str:
    """Write a list of arrays as one array; an array as it stands."""
    text = draft.module.text(items)
    if isinstance(items, ast.GeneratorExp):
        inner = text[1:-1] if text.startswith("(") else text
        return f"{draft.name('jax.numpy.array')}([{inner}])"
    if isinstance(items, ast.List | ast.Tuple | ast.ListComp):
        return f"{draft.name('jax.numpy.array')}({text})"
    return text


def _bool_op(draft: Draft, node: ast.BoolOp) -> str | None:
    parts = [truth(draft, value) for value in node.values]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    is_and = isinstance(node.op, ast.And)
    if all(map(is_boolean, node.values)):
        sign = " & " if is_and else " | "
        texts = [_side(v, part) for v, part in zip(node.values, known, strict=True)]
        return sign.join(texts)
    function = draft.name("jax.numpy.logical_and" if is_and else "jax.numpy.logical_or")
    text = known[0]
    for part in known[1:]:
        text = f"{function}({text}, {part})"
    return text


def _side(node: ast.expr, text: str) -> str:
    return text if isinstance(node, ast.Call) or text.startswith("~") else f"({text})"


def _negation(draft: Draft, operand: ast.expr) -> str | None:
    inner = truth(draft, operand)
    if inner is None:
        return None
    if isinstance(operand, ast.Call) and is_boolean(operand):
        return f"~{inner}"
    if is_boolean(operand):
        return f"~({inner})"
    return f"{draft.name('jax.numpy.logical_not')}({inner})"


def _chain(draft: Draft, node: ast.Compare) -> str | None:
    operands = [node.left, *node.comparators]
    if any(type(op) not in OPERATORS for op in node.ops):
        return None
    texts = [_operand_text(draft, operand) for operand in operands]
    links = [
        f"({left} {OPERATORS[type(op)]} {right})"
        for left, op, right in zip(texts, node.ops, texts[1:], strict=False)
    ]
    return " & ".join(links)


def _operand_text(draft: Draft, node: ast.expr) -> str:
    if isinstance(node, ast.Compare | ast.BoolOp | ast.IfExp | ast.Lambda):
        return atom(draft.module, node)
    return draft.module.text(node)


def _membership(draft: Draft, node: ast.Compare) -> str | None:
    item, container = draft.module.text(node.left), node.comparators[0]
    found = _in_range(draft, node.left, container) or (
        f"{draft.name('jax.numpy.isin')}({item}, {_as_array(draft, container)})"
    )
    if isinstance(node.ops[0], ast.NotIn):
        return f"~({found})" if "&" in found else f"~{found}"
    return found


def _as_array(draft: Draft, node: ast.expr) -> str:
    text = draft.module.text(node)
    if isinstance(node, ast.Set):
        text = f"[{text[1:-1]}]"
    return f"{draft.name('jax.numpy.array')}({text})"


def _in_range(draft: Draft, item: ast.expr, container: ast.expr) -> str | None:
    match container:
        case ast.Call(func=ast.Name(id="range"), args=[stop], keywords=[]):
            low, high = "0", _operand_text(draft, stop)
        case ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]):
            low, high = _operand_text(draft, start), _operand_text(draft, stop)
        case _:
            return None
    text = _operand_text(draft, item)
    return f"({low} <= {text}) & ({text} < {high})"


# ---------------------------------------------------------------- precedence

_BITS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|"}


def regrouped(module: Module, node: ast.Compare) -> str | None:
    """Split a comparison at the `&` and `|` that took parts of it; None where there are none."""
    if not any(_is_bits(module, side) for side in (node.left, *node.comparators)):
        return None
    parts: list[str] = []  # comparisons, and the signs between them
    current = module.text(node.left)
    sides = [node.left, *node.comparators]
    if _is_bits(module, node.left):
        *before, current = _flat(module, node.left)
        parts += before
    for op, side in zip(node.ops, sides[1:], strict=True):
        if type(op) not in OPERATORS:
            return None
        first, *rest = _flat(module, side) if _is_bits(module, side) else [module.text(side)]
        current = f"({current} {OPERATORS[type(op)]} {first})"
        while rest:
            sign, operand, *rest = rest
            parts += [current, sign]
            current = operand
    return " ".join([*parts, current])


def _is_bits(module: Module, node: ast.expr) -> bool:
    """Return whether an operand of a comparison is `b & c`, and not in parentheses of its own."""
    if not isinstance(node, ast.BinOp) or type(node.op) not in _BITS:
        return False
    return not is_in_parentheses(module, node)


def _flat(module: Module, node: ast.expr) -> list[str]:
    """List the operands of a chain of `&` and `|` with the signs between them."""
    if isinstance(node, ast.BinOp) and type(node.op) in _BITS:
        left = _flat(module, node.left)
        return [*left, _BITS[type(node.op)], module.text(node.right)]
    return [module.text(node)]
