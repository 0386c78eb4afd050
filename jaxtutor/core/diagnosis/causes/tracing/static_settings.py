"""Matches and fixes axes and settings of functions that are traced."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.tracing.demands import (
    STATIC_NAMES,
    StaticDemand,
    blame,
    static_demand,
)
from jaxtutor.core.diagnosis.editing.draft import Drafts
from jaxtutor.core.diagnosis.editing.static_arguments import make_static_at_call, static_source
from jaxtutor.core.diagnosis.engine.call_values import jit_of, python_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


def axis_argument(context: FailureContext) -> StaticDemand | None:
    """The axis is an argument of the traced function."""
    demand = static_demand(context)
    if demand is None:
        return None
    axis = demand.traced_axis()
    if axis is None and "axis" in context.message.partition("The error occurred")[0]:
        axis = next((a for a in demand.node.args if _is_integer(demand.frame, a)), None)
    return blame(demand, axis)


def _is_integer(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    is_tracer = fact is not None and fact.kind == "tracer"
    return is_tracer and fact is not None and fact.detail.lstrip("~").startswith(("int", "uint"))


def static_parameter(context: FailureContext) -> AtFrame | None:
    """Another parameter that a library's function keeps static is traced."""
    demand = static_demand(context)
    if demand is None:
        return _library_setting(context)
    known = demand.traced(*STATIC_NAMES.get(demand.name, ()))
    if known is None and context.error == "ValueError":
        known = demand.traced_axis()
    return blame(demand, known) or _library_setting(context)


def _library_setting(context: FailureContext) -> AtFrame | None:
    """Return the frame that hands a traced Python number to a library which needs its value."""
    given, frame = python_argument(context), context.frame
    if given is None or given.kind != "number" or frame is None or not context.library:
        return None
    if context.library in ("numpy", "scipy"):
        return None  # they cannot use a traced value for anything
    if context.error == "TypeError" and "concrete values" not in context.message:
        return None
    if context.error == "ValueError" and re.search(r"[Tt]race|concrete", context.message) is None:
        return None  # a setting of the library is wrong, traced or not
    if any(not step.aval.startswith("~") for step in context.failure.origin):
        return None
    function = given.frame.record.function
    facts = {
        "argument": given.name,
        "name": _callee_text(frame),
        "function": "" if function.startswith("<") else function,
    }
    return AtFrame(jit_of(given), facts, "library", context=context)


def _callee_text(frame: FrameContext) -> str:
    """Write what the frame called: `nn.Dropout` for `nn.Dropout(rate)(x)`."""
    node = frame.node
    while isinstance(node, ast.Call):
        node = node.func
    return frame.module.text(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def static_setting(found: AtFrame) -> Drafts:
    """Make the argument that the value comes from static, also where the jit wraps a method."""
    yield from static_source(found)
    yield make_static_at_call(found.context)


RULES = (
    Rule("traced-axis-arg", raised(axis_argument), static_source),
    Rule("traced-static-param", raised(static_parameter), static_setting),
)
