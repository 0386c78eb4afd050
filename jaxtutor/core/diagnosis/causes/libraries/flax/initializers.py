"""Matches initializers of kernels that are used for an array with one axis."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


def kernel_initializer(context: FailureContext) -> AtCall | None:
    """An initializer that scales with the sizes of a kernel gets the shape of a bias."""
    call = at_call(context)
    if call is None:
        return None
    shape = next((a for a in reversed(call.node.args) if isinstance(a, ast.Tuple)), None)
    facts = {"argument": call.module.text(shape) if shape is not None else "(n,)"}
    return AtCall(None, facts, context=context, node=call.node)


RULES = (Rule("initializer-needs-two-axes", raised(kernel_initializer)),)
