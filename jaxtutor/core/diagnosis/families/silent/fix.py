"""Owns the mending of mistakes that raise nothing: precedence, precision, dtypes."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.rewriting.conditions import regrouped
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module


def precedence(site: FixSite) -> Drafts:
    """`a < b & c` becomes `(a < b) & c`."""
    module, node = site.module, site.node
    if module is not None and isinstance(node, ast.Compare):
        text = regrouped(module, node)
        yield Draft(module).replace(node, text) if text is not None else None


def enable_x64(site: FixSite) -> Drafts:
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


def float_update(site: FixSite) -> Drafts:
    """Fractions are written into an array of floats."""
    module, node = site.module, site.node
    call = node.value if isinstance(node, ast.Assign | ast.Return) else node
    if module is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    subscript = call.func.value
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    is_at = isinstance(at, ast.Attribute) and at.attr == "at"
    if is_at and isinstance(at, ast.Attribute) and not isinstance(at.value, ast.BinOp):
        yield Draft(module).after(at.value, ".astype(float)")


def same_shape(site: FixSite) -> Drafts:
    """One side of an operation gets the shape of the other, where the sizes are the same."""
    module, node = site.module, site.node
    if module is None or not isinstance(node, ast.BinOp):
        return
    left, right = node.left, node.right
    if isinstance(right, ast.Name | ast.Attribute):
        yield _reshaped(module, left, right)
    elif isinstance(left, ast.Name | ast.Attribute):
        yield _reshaped(module, right, left)


def _reshaped(module: Module, node: ast.expr, like: ast.expr) -> Draft:
    draft = Draft(module)
    reshape = draft.name("jax.numpy.reshape")
    return draft.replace(node, f"{reshape}({module.text(node)}, {module.text(like)}.shape)")


def nearly_equal(site: FixSite) -> Drafts:
    """Floats are compared with a tolerance."""
    module, node = site.module, site.node
    if module is None or not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    draft = Draft(module)
    left, right = module.text(node.left), module.text(node.comparators[0])
    close = f"{draft.name('jax.numpy.isclose')}({left}, {right})"
    if isinstance(node.ops[0], ast.Eq):
        yield draft.replace(node, close)
    elif isinstance(node.ops[0], ast.NotEq):
        yield draft.replace(node, f"~{close}")


def sorted_keys(site: FixSite) -> Drafts:
    """Leaves are put back in the order in which they came: that of the sorted keys."""
    module, node = site.module, site.node
    for call in ast.walk(node) if node is not None else ():
        match call:
            case ast.Call(func=ast.Name(id="zip"), args=[ast.Name() as keys, *_]):
                if module is not None:
                    yield Draft(module).replace(keys, f"sorted({keys.id})")


FIXERS: dict[str, Fixer] = {
    "operator-precedence": precedence,
    "float64-truncated": enable_x64,
    "silent-broadcast": same_shape,
    "float-equality": nearly_equal,
    "dict-key-order": sorted_keys,
    "int-dtype-truncation": float_update,
}
