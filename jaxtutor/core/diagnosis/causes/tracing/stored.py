"""Matches arrays whose dtype is not in the file of NumPy that they come from."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_BYTES = re.compile(r"\|V[12](?=\[)")
"""The dtype of bare bytes, which NumPy reads for those it does not know: bfloat16 and float8."""


def lost_dtype(context: FailureContext) -> AtNode | None:
    """An array of bfloat16 or of eight bits was read from a file of NumPy."""
    found = at_node(context)
    if found is None:
        return None
    for node in ast.walk(found.node):
        fact = found.frame.fact(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if fact is not None and fact.kind == "ndarray" and _BYTES.match(fact.detail):
            return replace(found, facts={"name": fact.name, "aval": fact.detail})
    return None


RULES = (Rule("dtype-lost-in-npz", raised(lost_dtype)),)
