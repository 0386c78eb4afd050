"""Finds what a jitted function was called with: the expression for an argument, and its value."""

from __future__ import annotations

import ast

from msgspec import Struct

from jaxtutor.core.data.failures import Step
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Location
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied, jits_of, place_of
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import bound_value


class GivenArgument(Struct, frozen=True):
    """An argument that was traced, with the Python value that the call passed for it.

    `kind` is bool, str or number. `frame` is the one of the function that has the parameter `name`,
    `call` the expression that called it from the frame `caller`, where both are the learner's.
    """

    name: str
    kind: str
    frame: FrameContext
    caller: FrameContext | None = None
    call: ast.Call | None = None
    value: ast.expr | None = None


def python_argument(context: FailureContext) -> GivenArgument | None:
    """Return the argument that a traced value is, if the call passed a Python value for it."""
    steps = context.failure.origin
    name = context.argument
    if not steps or name is None or not steps[0].aval.endswith("[]"):
        return None
    for position, frame in enumerate(context.frames):
        if any(a.arg == name and _is_at(frame, a, steps[0]) for a in parameters(frame.function)):
            return _traced_argument(context, position, name)
    return None


def jit_of(given: GivenArgument) -> Location | None:
    """Return the place of the jit that traced an argument, if there is just one."""
    found = jits_of(given.frame.module, given.frame.function)
    if not found and given.caller is not None and given.call is not None:
        found = [a for a in applied(given.caller.module) if makes(a, given.call.func)]
    return place_of(found[0]) if len(found) == 1 else None


def is_jitted(frame: FrameContext) -> bool:
    """Return whether the file jits a frame's function itself, and not another that calls it."""
    return bool(jits_of(frame.module, frame.function))


def makes(jit: AppliedTransform, func: ast.expr) -> bool:
    """Return whether a callee is a jit, or the name that its result was given."""
    return jit.kind == "jit" and (jit.node is func or bound_value(jit.module, func) is jit.node)


def _is_at(frame: FrameContext, parameter: ast.arg, step: Step) -> bool:
    """Return whether a parameter is the one at which an origin begins."""
    is_same = frame.module.file == step.file and frame.module.span(parameter) == step.span
    return is_same or step.span is None


def _traced_argument(context: FailureContext, position: int, name: str) -> GivenArgument | None:
    frame = context.frames[position]
    caller = context.frames[position - 1] if position else None
    call = caller.node if caller is not None and isinstance(caller.node, ast.Call) else None
    value = _argument_expression(frame, call, name) if call is not None else None
    kind = _value_kind(caller, value) if caller is not None else ""
    if not kind and value is None and frame.function is not None:
        kind = _constant_kind(_default(frame.function, name))
    aval = context.failure.origin[0].aval
    if not kind and aval.startswith("~") and not aval.startswith("~bool"):
        kind = "number"  # only a Python number is traced as a scalar of a weak type
    return GivenArgument(name, kind, frame, caller, call, value) if kind else None


def _argument_expression(frame: FrameContext, call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call passes for a parameter; a library between them may take others first."""
    function = frame.function
    if function is None:
        return None
    if _calls_directly(frame):
        return argument_for(function, call, name)
    named = next((k.value for k in call.keywords if k.arg == name), None)
    given = function.args
    names = [a.arg for a in (*given.posonlyargs, *given.args)]
    if named is not None or name not in names or any(k.arg is None for k in call.keywords):
        return named
    if {k.arg for k in call.keywords} & set(names[names.index(name) :]):
        return None
    behind = len(names) - names.index(name)
    return call.args[-behind] if behind <= len(call.args) else None


def _calls_directly(frame: FrameContext) -> bool:
    given = frame.function.args if frame.function is not None else None
    first = given.args[0].arg if given is not None and given.args else ""
    return first != "self" or getattr(frame.function, "name", "") != "__call__"


def _value_kind(frame: FrameContext, value: ast.expr | None) -> str:
    fact = frame.fact(value)
    if fact is not None and fact.kind in ("number", "str"):
        return {"bool": "bool", "str": "str"}.get(fact.detail, "number")
    inner = bound_value(frame.module, value) if value is not None else None
    return _constant_kind(inner) or _constant_kind(value)


def _constant_kind(value: ast.expr | None) -> str:
    if isinstance(value, ast.UnaryOp):
        return "bool" if isinstance(value.op, ast.Not) else _constant_kind(value.operand)
    kept = value.value if isinstance(value, ast.Constant) else None
    if isinstance(kept, bool):
        return "bool"
    return "str" if isinstance(kept, str) else "number" if isinstance(kept, int | float) else ""


def _default(function: FunctionNode, name: str) -> ast.expr | None:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(positional), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((d for a, d in pairs if a.arg == name), None)
