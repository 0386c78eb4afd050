"""Owns the causes in differentiation."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.reading import argument, parameters, returned
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.source import FunctionNode, Module
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    find,
    name_of,
    place_of,
    resolve,
    result_place,
)

_GRADS = ("grad", "value_and_grad", "jacrev", "jacfwd", "hessian")
_NOT_SCALAR = "Gradient only defined for scalar-output functions"
_NOT_REAL = ("requires real- or complex-valued inputs", "requires real-valued inputs")


def _grad(context: FailureContext) -> AppliedTransform | None:
    return find(context, *_GRADS)


def aux_not_declared(context: FailureContext) -> Match | None:
    """has_aux does not say what the function returns."""
    if context.error != "TypeError":
        return None
    message = context.message
    is_tuple = _NOT_SCALAR in message and "Output was (" in message
    said = "aux output to return a" in message
    is_reverse = said or ("has_aux" in message and "tuple" in message)
    if not is_tuple and not is_reverse:
        return None
    item = _grad(context)
    return Match(place_of(item) if item is not None else None, _named(item))


def _named(item: AppliedTransform | None) -> dict[str, str]:
    name = name_of(item.function) if item is not None else ""
    return {"function": name} if name else {}


def nonscalar(context: FailureContext) -> Match | None:
    """The function that grad differentiates does not return a scalar."""
    if context.error != "TypeError" or _NOT_SCALAR not in context.message:
        return None
    if "Output had shape" not in context.message:
        return None
    item = _grad(context)
    if item is None or item.function is None or len(returned(item.function)) != 1:
        return Match(facts=_named(item))
    return Match(result_place(item.module, item.function), _named(item))


def wrong_argnum(context: FailureContext) -> Match | None:
    """Argument 0 is differentiated, and it is not the parameters."""
    item = _grad_of_key(context) or _grad_of_data(context)
    return Match(place_of(item), _named(item)) if item is not None else None


def _grad_of_key(context: FailureContext) -> AppliedTransform | None:
    """Find a grad whose argument is a PRNG key, or integer data before the parameters."""
    if context.error != "TypeError" or not any(t in context.message for t in _NOT_REAL):
        return None
    item, frame = _grad(context), context.frame
    if item is None or item.option("argnums") is not None or frame is None:
        return None
    if "key<" in context.message:
        return item
    call = frame.node
    first = argument(call, 0) if isinstance(call, ast.Call) else None
    fact = frame.fact(first)
    is_data = fact is not None and fact.kind in ("array", "ndarray", "tracer")
    return item if is_data and fact and fact.detail[-2:] != "[]" and _has_others(item) else None


def _has_others(item: AppliedTransform) -> bool:
    return len(parameters(item.function)) > 1


def _grad_of_data(context: FailureContext) -> AppliedTransform | None:
    """Find a grad whose result is met with parameters that were not its first argument."""
    frame, call = context.frame, context.node
    if (
        frame is None
        or not isinstance(call, ast.Call)
        or "pytree structure error" not in context.message
    ):
        return None
    if not (frame.callee(call) or "").endswith(("tree.map", "tree_map")):
        return None
    params, *others = call.args[1:]
    for other in others:
        found = _grad_call(context, other)
        if found is not None and _position(found, params) not in (0, None):
            item = _grad_called(context, found)
            if item is not None and item.option("argnums") is None:
                return item
    return None


def _grad_call(context: FailureContext, value: ast.expr) -> ast.Call | None:
    """Find the call that gave a name its value, also as one of a tuple."""
    frame = context.frame
    if frame is None or not isinstance(value, ast.Name):
        return None
    bound = frame.module.assignments(value.id, frame.module.scope(value))
    calls = [s.value for s in bound if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)]
    return calls[-1] if calls else None


def _position(call: ast.Call, value: ast.expr) -> int | None:
    written = ast.dump(value)
    return next((n for n, a in enumerate(call.args) if ast.dump(a) == written), None)


def _grad_called(context: FailureContext, call: ast.Call) -> AppliedTransform | None:
    return find(context, *_GRADS, at=call)


def int_input(context: FailureContext) -> Match | None:
    """An integer or boolean is differentiated."""
    if context.error != "TypeError" or not any(t in context.message for t in _NOT_REAL):
        return None
    return Match(facts=_named(_grad(context))) if "key<" not in context.message else None


def cotangent_count(context: FailureContext) -> Match | None:
    """A custom rule gives another number of cotangents than there are arguments."""
    said = "Custom VJP bwd rule must produce an output with the same container"
    if context.error != "TypeError" or said not in context.message:
        return None
    found = _bwd_rules(context)
    return Match(result_place(*found[0])) if len(found) == 1 else Match()


def _bwd_rules(context: FailureContext) -> list[tuple[Module, FunctionNode]]:
    found: list[tuple[Module, FunctionNode]] = []
    for module in context.modules.values():
        for call in ast.walk(module.tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            rule = argument(call, 1, "bwd") if call.func.attr == "defvjp" else None
            function = resolve(module, rule, call) if rule is not None else None
            if function is not None:
                found.append((module, function))
    return found


MATCHERS = (
    ("grad-aux-not-declared", aux_not_declared),
    ("grad-nonscalar", nonscalar),
    ("grad-wrong-argnum", wrong_argnum),
    ("grad-int-input", int_input),
    ("custom-vjp-cotangent-count", cotangent_count),
)
