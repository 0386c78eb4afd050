"""Owns the mending of mistakes that raise nothing: precedence, precision, dtypes."""

from __future__ import annotations

import ast

from jaxtutor.core.fixes.patch import Draft
from jaxtutor.core.fixes.site import Drafts, Fixer, Site
from jaxtutor.core.fixes.truth import OPERATORS
from jaxtutor.core.locate import Module

_BITS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|"}


def precedence(site: Site) -> Drafts:
    """`a < b & c` becomes `(a < b) & c`."""
    module, node = site.module, site.node
    if module is not None and isinstance(node, ast.Compare):
        text = _regrouped(module, node)
        yield Draft(module).replace(node, text) if text is not None else None


def _regrouped(module: Module, node: ast.Compare) -> str | None:
    """Split a comparison at the `&` and `|` that took parts of it."""
    parts: list[str] = []  # comparisons, and the signs between them
    current = module.text(node.left)
    sides = [node.left, *node.comparators]
    if _is_bits(node.left):
        *before, current = _flat(module, node.left)
        parts += before
    for op, side in zip(node.ops, sides[1:], strict=True):
        if type(op) not in OPERATORS:
            return None
        first, *rest = _flat(module, side) if _is_bits(side) else [module.text(side)]
        current = f"({current} {OPERATORS[type(op)]} {first})"
        while rest:
            sign, operand, *rest = rest
            parts += [current, sign]
            current = operand
    return " ".join([*parts, current])


def _is_bits(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and type(node.op) in _BITS


def _flat(module: Module, node: ast.expr) -> list[str]:
    """List the operands of a chain of `&` and `|` with the signs between them."""
    if isinstance(node, ast.BinOp) and type(node.op) in _BITS:
        left = _flat(module, node.left)
        return [*left, _BITS[type(node.op)], module.text(node.right)]
    return [module.text(node)]


def enable_x64(site: Site) -> Drafts:
    """float64 is switched on at the top of the file."""
    module = site.module
    if module is None or "jax_enable_x64" in module.source:
        return
    draft = Draft(module)
    imports = [n for n in module.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if imports:
        name = draft.name("jax.config.update")
        line = (imports[-1].end_lineno or 0) + 1
        yield draft.add_lines(line, f'\n{name}("jax_enable_x64", True)')


def float_update(site: Site) -> Drafts:
    """Fractions are written into an array of floats."""
    module, node = site.module, site.node
    call = node.value if isinstance(node, ast.Assign | ast.Return) else node
    if module is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    subscript = call.func.value
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    if isinstance(at, ast.Attribute) and at.attr == "at":
        yield Draft(module).after(at.value, ".astype(float)")


FIXERS: dict[str, Fixer] = {
    "operator-precedence": precedence,
    "float64-truncated": enable_x64,
    "int-dtype-truncation": float_update,
}
