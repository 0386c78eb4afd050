"""Reads and writes updates of arrays: `x[i] = v`, `x[i] += v` and `x.at[i].set(v)`."""

from __future__ import annotations

import ast

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}


class AtUpdate(Struct, frozen=True):
    """A call `array.at[index].method(…)`."""

    array: ast.expr
    subscript: ast.Subscript
    method: str


def at_update(call: ast.AST | None) -> AtUpdate | None:
    """Read the call of an `.at[…]` method; None for anything else."""
    func = call.func if isinstance(call, ast.Call) else None
    subscript = func.value if isinstance(func, ast.Attribute) else None
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    if not isinstance(subscript, ast.Subscript) or not isinstance(at, ast.Attribute):
        return None
    is_at = at.attr == "at" and isinstance(func, ast.Attribute)
    return AtUpdate(at.value, subscript, getattr(func, "attr", "")) if is_at else None


def target_of(statement: ast.stmt | None) -> ast.expr | None:
    """Return the one target of an assignment."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement.targets[0]
    return statement.target if isinstance(statement, ast.AugAssign) else None


def stored(statement: ast.stmt | None) -> ast.Subscript | None:
    """Return the subscript that a statement assigns to."""
    target = target_of(statement)
    return target if isinstance(target, ast.Subscript) else None


def put_update(draft: Draft, statement: ast.stmt, make: str = "") -> bool:
    """Write `x[i] = v` or `x[i] += v` as an `.at` update, of an array that is made with `make`."""
    module, target = draft.module, stored(statement)
    value = getattr(statement, "value", None)
    if target is None or value is None:
        return False
    method = "set"
    if isinstance(statement, ast.AugAssign):
        method = METHODS.get(type(statement.op), "")
        if not method:
            return False
    base, index = module.text(without_at(target.value)), _index_text(module, target)
    array = f"{make}({base})" if make else base
    draft.replace(statement, f"{base} = {array}.at[{index}].{method}({module.text(value)})")
    return True


def without_at(node: ast.expr) -> ast.expr:
    """Return x for `x.at`, and other expressions as they are."""
    is_at = isinstance(node, ast.Attribute) and node.attr == "at"
    return node.value if isinstance(node, ast.Attribute) and is_at else node


def _index_text(module: Module, target: ast.Subscript) -> str:
    """Write an index as it stands between the brackets."""
    whole, base = module.text(target), module.text(target.value)
    if whole.startswith(base):
        inner = whole[len(base) :].strip()
        if inner.startswith("[") and inner.endswith("]"):
            return inner[1:-1]
    return module.text(target.slice)
