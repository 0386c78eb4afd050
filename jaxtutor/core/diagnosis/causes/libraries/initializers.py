"""Matches makers of initializers that are passed where the initializer belongs."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import Module

_HOMES = ("jax.nn.initializers.", "flax.linen.initializers.", "flax.nnx.initializers.")
_MAKERS = frozenset(
    """delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal
    kaiming_uniform lecun_normal lecun_uniform normal ones_init orthogonal truncated_normal uniform
    xavier_normal xavier_uniform zeros_init""".split()
)
# The maker gets the key and the shape as its settings, or its result stands for the array.
_SAID = re.compile(
    rf"<class 'function'>|<function \w+\.<locals>\.init |^'function' object"
    rf"|'function'$|'function' and "
    rf"|^(?:{'|'.join(sorted(_MAKERS))})\(\) takes"
)


def uncalled_initializers(context: FailureContext) -> tuple[FrameContext, tuple[ast.expr, ...]]:
    """List the makers of initializers that a file of the live frames passes uncalled."""
    for frame in reversed(context.frames) if _SAID.search(context.message) else ():
        found = tuple(
            n
            for n in frame.module.nodes
            if isinstance(n, ast.Name | ast.Attribute) and _is_uncalled(frame.module, n)
        )
        if found:
            return frame, found
    return context.frames[-1], ()


_TAKERS = ("param", "variable", "get_parameter", "with_partitioning", "with_metadata")
"""Functions that take an initializer by position."""


def _is_uncalled(module: Module, node: ast.expr) -> bool:
    """Return whether a maker stands where an initializer is expected."""
    home, _, name = (module.dotted(node) or "").rpartition(".")
    if f"{home}." not in _HOMES or name not in _MAKERS:
        return False
    match module.parents.get(node):
        case ast.keyword(arg=str(taker)) | ast.AnnAssign(target=ast.Name(id=taker)):
            return taker.endswith(("_init", "initializer"))
        case ast.Call(func=ast.Attribute(attr=taker) | ast.Name(id=taker), args=given):
            return taker in _TAKERS and node in given
    return False
