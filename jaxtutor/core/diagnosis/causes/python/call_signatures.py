"""Lists the signatures of the functions of jax.lax that take functions."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.transforms import resolve

# The arguments of each function, in their order, and which of them are functions.
SIGNATURES = {
    "jax.lax.cond": ("pred", "true_fun", "false_fun", "*operands"),
    "jax.lax.switch": ("index", "[branch, branch, ...]", "*operands"),
    "jax.lax.while_loop": ("cond_fun", "body_fun", "init_val"),
    "jax.lax.fori_loop": ("lower", "upper", "body_fun", "init_val"),
    "jax.lax.scan": ("f", "init", "xs"),
    "jax.lax.map": ("f", "xs"),
    "jax.lax.associative_scan": ("fn", "elems"),
}
FUNCTION_POSITIONS = {
    "jax.lax.cond": (1, 2),
    "jax.lax.switch": (1,),
    "jax.lax.while_loop": (0, 1),
    "jax.lax.fori_loop": (2,),
}


def is_function(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression is known to be a function."""
    if isinstance(node, ast.Lambda) or frame.kind(node) in ("function", "class"):
        return True
    if isinstance(node, ast.Call):
        path = frame.callee(node) or ""
        return path in ("functools.partial", "jax.jit", "jax.grad", "jax.vmap", "jax.checkpoint")
    return resolve(frame.module, node, node) is not None
