"""Matches and fixes scans that go over a scalar, or over nothing."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Drafts
from jaxtutor.core.diagnosis.editing.expressions import swap_nodes
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, raised
from jaxtutor.core.diagnosis.reading.calls import argument


def scan_over_scalar(context: FailureContext) -> AtCall | None:
    """A scan is given a number where the array to go over belongs."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.scan":
        return None
    xs = argument(call.node, 2, "xs")
    if isinstance(xs, ast.Tuple):
        parts = [part for part in xs.elts if _is_scalar(call.frame, part)]
        if len(parts) != 1 or len(xs.elts) == 1:
            return None  # a scan over a Python list
        return replace(call, facts={"name": call.module.text(parts[0])})
    if isinstance(xs, ast.List) or call.frame.kind(xs) in ("list", "tuple"):
        return None
    if "no leading axis" not in context.message and (xs is None or not _is_scalar(call.frame, xs)):
        return None
    return replace(call, facts={"name": call.module.text(xs)} if xs is not None else {})


def _is_scalar(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression held a number, or an array or tracer without axes."""
    fact = frame.fact(node)
    if fact is None:
        return isinstance(node, ast.Constant)
    return fact.kind == "number" or fact.detail.endswith("[]")


def swap_scan(found: AtCall) -> Drafts:
    """Swap the initial carry and the values that a scan goes over."""
    init, xs = argument(found.node, 1, "init"), argument(found.node, 2, "xs")
    fact = found.frame.fact(init)
    is_array = fact is not None and fact.kind in ("array", "tracer", "ndarray")
    has_axes = is_array and fact is not None and "[]" not in fact.detail
    is_made = found.frame.callee(init) in ("jax.numpy.arange", "jax.numpy.linspace")
    if init is not None and xs is not None and (has_axes or is_made):
        yield swap_nodes(found.module, init, xs)


RULES = (
    Rule("scan-over-scalar", raised(scan_over_scalar), swap_scan),
    Rule("scan-without-values", by_message()),
)
