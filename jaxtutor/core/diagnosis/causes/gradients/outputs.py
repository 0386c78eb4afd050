"""Matches and fixes gradients of a loss with respect to what the model returned."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.gradients.results import (
    GRADS,
    AtGrad,
    grad_call,
    wrong_argnum,
)
from jaxtutor.core.diagnosis.causes.gradients.trained import OfData, of_data
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import find, name_of
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_value, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_UPDATES = ("update", "apply_gradients")
_ARRAYS = ("array", "ndarray", "tracer")


class OfOutput(AtFrame, frozen=True, kw_only=True):
    """A gradient, `grad(loss)(output, …)`, that an optimizer of `params` gets.

    `made` is the expression that computes the output: from the parameters, or in the form `closed`
    from something else, while the loss reads the parameters from outside.
    """

    gradient: ast.Call
    params: str
    made: ast.expr


def of_other_value(context: FailureContext) -> OfData | OfOutput | AtGrad | None:
    """The gradient is not with respect to the parameters, but to an output or to the data."""
    return of_data(context) or _of_output(context) or wrong_argnum(context)


def _of_output(context: FailureContext) -> OfOutput | None:
    """The optimizer of the parameters gets the gradient with respect to the model's output."""
    frame, call = context.frame, context.call
    if frame is None or call is None or context.library not in ("optax", "flax"):
        return None
    grads = _gradient_given(frame, call)
    gradient = grad_call(frame, grads) if grads is not None else None
    if gradient is None or not gradient.args:
        return None
    output, item = gradient.args[0], find(context, *GRADS, at=gradient)
    if item is None or item.option("argnums") is not None:
        return None
    made = bound_value(frame.module, output)
    params = _optimized_in(frame, made) if made is not output else ""
    form = "output" if params else "closed"
    params = params or _tree_from_outside(frame, item.function)
    if not params or params in map(path_of, gradient.args):
        return None
    facts = {
        "expression": frame.module.text(gradient),
        "argument": frame.module.text(output),
        "name": params,
        "condition": frame.module.text(made),
        "function": name_of(item.function),
    }
    place = frame.module.location(gradient)
    return OfOutput(
        place, facts, form, context=context, gradient=gradient, params=params, made=made
    )


def _gradient_given(frame: FrameContext, call: ast.Call) -> ast.expr | None:
    """Return the one array that an optimizer got for gradients; its updates may be at fault."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "apply_updates":
        updates = argument(call, 1, "updates")
        made = grad_call(frame, updates) if updates is not None else None
        is_array = frame.kind(updates) in _ARRAYS if updates is not None else False
        return argument(made, 0) if is_array and made is not None else None
    given = keyword_value(call, "grads")
    grads = given if given is not None else argument(call, 0)
    is_array = grads is not None and frame.kind(grads) in _ARRAYS
    return grads if is_array and method in _UPDATES else None


def _optimized_in(frame: FrameContext, made: ast.expr) -> str:
    """Return the tree in an expression that the program made an optimizer for."""
    known = _optimized(frame) | {"state.params"}
    found = {path for node in ast.walk(made) if (path := path_of(node)) in known and path}
    return found.pop() if len(found) == 1 else ""


def _tree_from_outside(frame: FrameContext, loss: FunctionNode | None) -> str:
    """Return the tree of an optimizer that a loss, or what it calls, reads and does not take."""
    if loss is None:
        return ""
    called = {path_of(n.func) for n in ast.walk(loss) if isinstance(n, ast.Call)}
    readers = [loss, *(f for f in frame.module.functions if name_of(f) in called)]
    read = {name for f in readers for name in names_in(f).difference(parameter_names(f))}
    found = {path for path in _optimized(frame) if path in read}
    return found.pop() if len(found) == 1 else ""


def _optimized(frame: FrameContext) -> set[str]:
    """Return the paths of the trees that the program made an optimizer for."""
    inits = [c.args[0] for c in frame.module.calls if method_of(c) == "init" and c.args]
    return {path for value in inits if (path := path_of(value)) is not None}


def compute_inside(found: OfOutput) -> Drafts:
    """Compute the output inside the function that is differentiated."""
    module, call = found.module, found.gradient
    if found.form == "closed" or not isinstance(call.func, ast.Call):
        return
    if not call.func.args or call.keywords:
        return
    text, (loss, *options) = module.text, call.func.args
    if not isinstance(loss, ast.Name | ast.Attribute):
        return
    name = last_part(found.params)
    output = text(found.made).replace(found.params, name)
    rest = [output, *map(text, call.args[1:])]
    function = f"lambda {name}: {text(loss)}({', '.join(rest)})"
    settings = [*map(text, options), *map(text, call.func.keywords)]
    made = f"{text(call.func.func)}({', '.join([function, *settings])})"
    yield Draft(module).certain().replace(call, f"{made}({found.params})")
