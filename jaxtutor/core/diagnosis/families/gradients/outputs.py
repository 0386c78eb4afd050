"""Matches and fixes gradients of a loss with respect to what the model returned."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.gradients.match import (
    GRADS,
    AtGrad,
    grad_call,
    wrong_argnum,
)
from jaxtutor.core.diagnosis.reading import argument, keyword_value
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.core.diagnosis.transforms import find

_UPDATES = ("update", "apply_gradients")
_ARRAYS = ("array", "ndarray", "tracer")


class OfOutput(AtFrame, frozen=True, kw_only=True):
    """A gradient, `grad(loss)(output, …)`, that an optimizer of `params` gets.

    `made` is the expression that computes the output from the parameters.
    """

    gradient: ast.Call
    params: str
    made: ast.expr


def of_other_value(context: FailureContext) -> OfOutput | AtGrad | None:
    """The gradient is not with respect to the parameters, but to an output or to the data."""
    return _of_output(context) or wrong_argnum(context)


def _of_output(context: FailureContext) -> OfOutput | None:
    """The optimizer of the parameters gets the gradient with respect to the model's output."""
    frame, call = context.frame, context.call
    if frame is None or call is None or context.library not in ("optax", "flax"):
        return None
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = keyword_value(call, "grads")
    grads = given if given is not None else argument(call, 0)
    gradient = grad_call(frame, grads) if grads is not None else None
    if method not in _UPDATES or gradient is None or not gradient.args:
        return None
    if grads is None or frame.kind(grads) not in _ARRAYS:
        return None
    output, item = gradient.args[0], find(context, *GRADS, at=gradient)
    if item is None or item.option("argnums") is not None:
        return None
    made = grad_call(frame, output)
    params = _optimized_in(frame, made) if made is not None else ""
    if made is None or not params or params in map(path_of, gradient.args):
        return None
    facts = {
        "expression": frame.module.text(gradient),
        "argument": frame.module.text(output),
        "name": params,
        "condition": frame.module.text(made),
    }
    place = frame.module.location(gradient)
    return OfOutput(
        place,
        facts,
        "output",
        context=context,
        frame=frame,
        gradient=gradient,
        params=params,
        made=made,
    )


def _optimized_in(frame: FrameContext, made: ast.expr) -> str:
    """Return the tree in an expression that the program made an optimizer for."""
    calls = [n for n in frame.module.nodes if isinstance(n, ast.Call)]
    inits = [c.args[0] for c in calls if getattr(c.func, "attr", "") == "init" and c.args]
    known = {path_of(value) for value in inits} | {"state.params"}
    found = {path for node in ast.walk(made) if (path := path_of(node)) in known and path}
    return found.pop() if len(found) == 1 else ""


def compute_inside(found: OfOutput) -> Drafts:
    """Compute the output inside the function that is differentiated."""
    module, call = found.module, found.gradient
    if not isinstance(call.func, ast.Call) or not call.func.args or call.keywords:
        return
    text, (loss, *options) = module.text, call.func.args
    if not isinstance(loss, ast.Name | ast.Attribute):
        return
    name = found.params.rpartition(".")[2]
    output = text(found.made).replace(found.params, name)
    rest = [output, *map(text, call.args[1:])]
    function = f"lambda {name}: {text(loss)}({', '.join(rest)})"
    settings = [*map(text, options), *map(text, call.func.keywords)]
    made = f"{text(call.func.func)}({', '.join([function, *settings])})"
    yield Draft(module).certain().replace(call, f"{made}({found.params})")
