"""Matches linen modules that NNX wraps, and that are used before they have parameters."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of


def not_initialized(context: FailureContext) -> AtFrame | None:
    """A linen module in `bridge.ToNNX` is called without `lazy_init`."""
    found = at_frame(context)
    calls = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if (path_of(node.func) or "").endswith("ToNNX")
    ]
    attributes = [
        node.attr
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Attribute)
    ]
    if found is None or len(calls) != 1 or "lazy_init" in attributes:
        return None
    module, made = calls[0]
    text = module.text(made)
    facts = {"name": text, "argument": f"{text}.lazy_init(x)"}
    return AtFrame(module.location(made), facts, context=context)


RULES = (Rule("bridge-not-initialized", raised(not_initialized)),)
