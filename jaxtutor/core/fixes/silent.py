"""Owns the mending of mistakes that raise nothing: precedence, precision, dtypes."""

from __future__ import annotations

import ast

from jaxtutor.core.fixes.patch import Draft
from jaxtutor.core.fixes.site import Drafts, Fixer, Site
from jaxtutor.core.fixes.truth import regrouped


def precedence(site: Site) -> Drafts:
    """`a < b & c` becomes `(a < b) & c`."""
    module, node = site.module, site.node
    if module is not None and isinstance(node, ast.Compare):
        text = regrouped(module, node)
        yield Draft(module).replace(node, text) if text is not None else None


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
    is_at = isinstance(at, ast.Attribute) and at.attr == "at"
    if is_at and isinstance(at, ast.Attribute) and not isinstance(at.value, ast.BinOp):
        yield Draft(module).after(at.value, ".astype(float)")


FIXERS: dict[str, Fixer] = {
    "operator-precedence": precedence,
    "float64-truncated": enable_x64,
    "int-dtype-truncation": float_update,
}
