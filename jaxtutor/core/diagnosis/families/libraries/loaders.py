"""Matches batches of elements of unequal shape in the data loaders of Grain."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.library_calls import method_of
from jaxtutor.core.diagnosis.rules import InContext


class UnequalElements(InContext, frozen=True, kw_only=True):
    """A call that groups the elements of a data set into batches."""

    call: ast.Call


def unequal_elements(context: FailureContext) -> UnequalElements | None:
    """A data loader joins elements whose arrays have different shapes."""
    if not any(name.startswith("grain.") for name in context.failure.jax_frames):
        return None
    found = [
        (module, node)
        for module in context.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and _is_batch(module.dotted(node.func) or "", node)
    ]
    if len(found) != 1:
        return None
    module, call = found[0]
    name = module.text(call.func) if "\n" not in module.text(call.func) else f".{method_of(call)}"
    place = module.location(call.args[0]) if call.args else module.location(call)
    return UnequalElements(place, {"name": name}, context=context, call=call)


def _is_batch(path: str, call: ast.Call) -> bool:
    is_class = path.startswith("grain.") and path.endswith(".Batch")
    return is_class or (method_of(call) == "batch" and bool(call.args))
