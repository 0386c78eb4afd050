"""Matches the causes in differentiation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.gradients import cotangents
from jaxtutor.core.diagnosis.causes.gradients.cotangents import CustomRule
from jaxtutor.core.diagnosis.causes.gradients.origins import is_trained
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Location, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    every,
    find,
    find_in_frames,
    name_of,
    place_of,
    resolve,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    keyword_of,
    keyword_value,
    method_of,
    method_owner,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.functions import (
    parameter_names,
    result_of,
    returned,
)
from jaxtutor.core.diagnosis.reading.library_calls import given_values
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.shapes import axis_sizes
from jaxtutor.core.diagnosis.reading.values import is_none

GRADS = ("grad", "value_and_grad", "jacrev", "jacfwd", "hessian")


SHORT = 40
"""Characters of an expression that a sentence can name."""


class AtGrad(AtFrame, frozen=True, kw_only=True):
    """A cause in a gradient: `grad` is where it is taken.

    `params` is the position of the parameters in the call, if an optimizer names them.
    """

    grad: AppliedTransform | None
    params: int | None = None


def at_grad(context: FailureContext, place: Location | None = None) -> AtGrad | None:
    """Return a match at the grad of the call at fault, else at the only one of the program."""
    if context.frame is None:
        return None
    grad = find(context, *GRADS)
    if grad is None:
        only = every(context, *GRADS)
        grad = find_in_frames(context, *GRADS) or (only[0] if len(only) == 1 else None)
    name = _differentiated(grad) if grad is not None else ""
    facts = {"function": name} if name else {}
    return AtGrad(place, facts, context=context, grad=grad)


def aux_not_declared(context: FailureContext) -> AtGrad | None:
    """has_aux does not say what the function returns."""
    item = find(context, *GRADS)
    solver = _solver_of(context) if item is None else None
    if context.frame is not None and solver is not None:
        module, call = solver
        facts = {"name": module.text(call.func)}
        place = module.location(call)
        return SolvedLoss(
            place, facts, "solver", context=context, grad=None, module_of=module, solver=call
        )
    return at_grad(context, place_of(item) if item is not None else None)


class SolvedLoss(AtGrad, frozen=True, kw_only=True):
    """A loss with extra outputs that a solver of a library minimises: `solver` takes `has_aux`."""

    module_of: Module
    solver: ast.Call


def _solver_of(context: FailureContext) -> tuple[Module, ast.Call] | None:
    """Find the call of JAXopt or Optimistix that was given the loss and no `has_aux`."""
    frame, call = context.frame, context.call
    if frame is None or call is None or context.library not in ("jaxopt", "optimistix"):
        return None
    receiver = method_owner(call)
    made = given_values(context, frame, receiver) if receiver is not None else []
    calls = [c for c in (call, *made) if isinstance(c, ast.Call)]
    for made_by in calls:
        module = next(m for m in context.modules.values() if made_by in m.parents)
        path = module.dotted(made_by.func) or ""
        if path.partition(".")[0] in ("jaxopt", "optimistix"):
            return None if keyword_of(made_by, "has_aux") is not None else (module, made_by)
    return None


def _differentiated(grad: AppliedTransform) -> str:
    """Name the function that a grad takes, also where it is a parameter."""
    given = grad.call.args[0] if grad.call is not None and grad.call.args else None
    known = name_of(grad.function)
    return known or (given.id if isinstance(given, ast.Name) and not grad.is_decorator else "")


def nonscalar(context: FailureContext) -> AtGrad | None:
    """The function that grad differentiates does not return a scalar."""
    item = find(context, *GRADS)
    mapped = find_in_frames(context, "vmap")
    axes = mapped.option("in_axes") if mapped is not None else None
    if item is None and mapped is not None and isinstance(axes, ast.Tuple):
        found = at_grad(context)
        whole = any(is_none(n) for n in axes.elts)
        facts = {"argument": mapped.module.text(axes)}
        if found is not None and whole:
            return replace(found, form="mapped", facts={**found.facts, **facts})
    if context.library and item is None:
        return _handed_loss(context) or at_grad(context)
    shape = _SINGLE.search(context.message)
    if item is None or item.function is None or len(returned(item.function)) != 1:
        found = (_single_number(context) if shape is not None else None) or at_grad(context)
    else:
        found = at_grad(context, result_place(item.module, item.function))
    if shape is None or found is None:
        return found
    return replace(found, form="single", facts={**found.facts, "detail": shape[1]})


_SINGLE = re.compile(r"Output had shape: (\((?:1,? ?)+\))")


class SingleNumber(AtGrad, frozen=True, kw_only=True):
    """A function that was handed on, and whose result `value` is one number in an array."""

    source: Module
    value: ast.expr


def _single_number(context: FailureContext) -> SingleNumber | None:
    """Find the last expression of the learner's that made the one number."""
    found = at_grad(context)
    for step in reversed(context.failure.origin):
        module = context.modules.get(step.file or "")
        node = module.node_at(step.span) if module is not None and step.span is not None else None
        if found is None or module is None or not isinstance(node, ast.expr):
            continue
        is_single = re.search(r"\[1(?:,1)*\]$", step.aval) is not None
        place, facts = module.location(node), found.facts
        return (
            SingleNumber(place, facts, context=context, grad=found.grad, source=module, value=node)
            if is_single
            else None
        )
    return None


class HandedLoss(AtGrad, frozen=True, kw_only=True):
    """A function of the learner's that a library differentiates; `value` is what it returns."""

    source: Module
    value: ast.expr


def _handed_loss(context: FailureContext) -> HandedLoss | None:
    """Find the function that was given to a library, which takes its gradient."""
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return None
    for node in _values_handed(frame.module, call, 3):
        found = _own_function(context, frame.module, node)
        if found is None:
            continue
        module, function = found
        value = result_of(function)
        if value is not None:
            facts, form = _handed_form(context, frame, call)
            return HandedLoss(
                result_place(module, function) if form != "batch" else None,
                {"function": name_of(function) or "the function", **facts},
                form,
                context=context,
                grad=None,
                source=module,
                value=value,
            )
    return None


_OUTPUT = re.compile(r"Output had shape: (\([\d, ]*\))")


def _handed_form(
    context: FailureContext, frame: FrameContext, call: ast.Call
) -> tuple[dict[str, str], str]:
    """Say of the call that takes a gradient what the function returns, and for which argument."""
    shape = _OUTPUT.search(context.message)
    if shape is None:
        return {}, "minimised" if "minimisation function" in context.message else ""
    facts = {"name": frame.module.text(call.func), "detail": shape[1]}
    sizes = re.findall(r"\d+", shape[1])
    for given in passed_arguments(call):
        fact = frame.fact(given)
        held = axis_sizes(fact.detail) if fact is not None and fact.kind in _ARRAYS else []
        if fact is not None and len(held) > len(sizes) and held[: len(sizes)] == sizes != ["1"]:
            text = frame.module.text(given)
            return {**facts, "argument": text, "aval": fact.detail}, "batch"
    return facts, "handed"


_ARRAYS = ("array", "ndarray", "tracer")


def _values_handed(module: Module, call: ast.Call, depth: int) -> Iterator[ast.expr]:
    """List what a call is given, and what the objects were made with that it is given or calls."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    for node in (*passed_arguments(call), owner):
        value = bound_value(module, node)
        yield value
        if isinstance(value, ast.Call) and value is not call and depth:
            yield from _values_handed(module, value, depth - 1)


def _own_function(
    context: FailureContext, module: Module, node: ast.expr
) -> tuple[Module, FunctionNode] | None:
    """Find the function that an expression names, also in another of the learner's files."""
    if isinstance(node, ast.Call) and module.dotted(node.func) == "functools.partial":
        node = node.args[0] if node.args else node
    function = resolve(module, node, node)
    if function is not None:
        return module, function
    path = module.dotted(node) or ""
    home, _, name = path.rpartition(".")
    for other in context.modules.values():
        stem = other.file.removesuffix(".py").replace("\\", "/").replace("/", ".")
        if home and (stem == home or stem.endswith("." + last_part(home))):
            found = other.function_named(name)
            if found is not None:
                return other, found
    return None


def wrong_argnum(context: FailureContext) -> AtGrad | None:
    """Argument 0 is differentiated, and it is not the parameters; or argnums is too large."""
    if beyond := _BEYOND.search(context.message):
        return _beyond(context, int(beyond[2]))
    item = _grad_of_key(context) or _grad_of_data(context) or _grad_for_optimizer(context)
    frame = context.frame
    if item is None or frame is None:
        return None
    name = name_of(item.function)
    facts = {"function": name} if name else {}
    func = item.node.func if isinstance(item.node, ast.Call) else item.node
    form = "equinox" if (item.module.dotted(func) or "").startswith("equinox.") else ""
    params = _optimized(context, item) if not form else None
    return AtGrad(place_of(item), facts, form, context=context, grad=item, params=params)


_BEYOND = re.compile(r"argnums=(.+?) requires .* but got only (\d+) positional")


def _beyond(context: FailureContext, count: int) -> AtGrad | None:
    """Return the gradient whose argnums names an argument that the call does not pass."""
    item = find(context, *GRADS)
    option = item.option("argnums") if item is not None else None
    if item is None or option is None or context.frame is None:
        return None
    passed = "one argument" if count == 1 else f"{count} arguments"
    facts = {"argument": item.module.text(option), "detail": passed, "name": str(count - 1)}
    return AtGrad(place_of(item), facts, "beyond", context=context, grad=item, params=count)


def _grad_of_key(context: FailureContext) -> AppliedTransform | None:
    """Find a grad whose argument is a PRNG key, or integer data before the parameters."""
    item, frame = find(context, *GRADS), context.frame
    if item is None or item.option("argnums") is not None or frame is None:
        return None
    if not re.search(r"requires real-(?: or complex-)?valued inputs", context.message):
        return None
    if "key<" in context.message:
        return item
    first = argument(context.call, 0) if context.call is not None else None
    fact = frame.fact(first)
    is_data = fact is not None and fact.kind in ("array", "ndarray", "tracer")
    is_array = is_data and fact is not None and not fact.detail.endswith("[]")
    names = parameter_names(item.function)
    if not is_array or first is None or len(names) < 2 or is_trained(context, frame, first):
        return None
    return item if {*names[1:]} & {*LEARNT} or names[0] not in LEARNT else None


LEARNT = ("params", "param", "weights", "theta", "w", "model", "parameters", "W", "b")
"""Usual names of parameters, the most likely first."""


def _grad_of_data(context: FailureContext) -> AppliedTransform | None:
    """Find a grad whose result is met with parameters that were not its first argument."""
    frame, call = context.frame, context.call
    if frame is None or call is None or "pytree structure error" not in context.message:
        return None
    if not (frame.callee(call) or "").endswith(("tree.map", "tree_map")):
        return None
    params, *others = call.args[1:]
    for other in others:
        found = grad_call(frame, other)
        if found is not None and _argument_position(found, params) not in (0, None):
            item = find(context, *GRADS, at=found)
            if item is not None and item.option("argnums") is None:
                return item
    return None


def _grad_for_optimizer(context: FailureContext) -> AppliedTransform | None:
    """Find a grad of the data whose result an optimizer got in place of the parameters'."""
    frame, call = context.frame, context.call
    if frame is None or call is None or context.library not in ("optax", "flax"):
        return None
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method not in ("update", "apply_gradients", "apply_updates"):
        return None
    given = keyword_value(call, "grads")
    is_nnx = context.library == "flax" and method == "update"  # `update(model, grads)`
    grads = given if given is not None else argument(call, 1 if is_nnx else 0)
    made = grad_call(frame, grads) if grads is not None else None
    item = find(context, *GRADS, at=made) if made is not None else None
    if made is None or item is None or item.option("argnums") is not None:
        return None
    if _optimized(context, item) is not None:
        return item
    kinds = [frame.kind(a) for a in made.args]
    is_data = kinds[:1] and kinds[0] in ("array", "ndarray", "tracer")
    return item if is_data and {"dict", "list", "other"} & set(kinds[1:]) else None


def _optimized(context: FailureContext, item: AppliedTransform) -> int | None:
    """Return the position at which a call of a gradient passes what an optimizer was made for."""
    call = item.module.parents.get(item.node)
    if not isinstance(call, ast.Call) or context.library not in ("optax", "flax"):
        return None
    made = (n for n in item.module.calls if n.args)
    inits = [n.args[0] for n in made if method_of(n) == "init" and len(n.args) == 1]
    known = {path_of(value) for value in inits} | {"state.params"}
    update = context.call
    if update is not None and len(update.args) == 2 and context.library == "flax":
        known.add(path_of(update.args[0]))
    found = [n for n, a in enumerate(call.args) if path_of(a) in known - {None}]
    return found[0] if len(found) == 1 and found[0] > 0 else None


def grad_call(frame: FrameContext, value: ast.expr) -> ast.Call | None:
    """Find the call that gave a name its value, also as one of a tuple."""
    if not isinstance(value, ast.Name):
        return None
    bound = frame.module.assignments(value.id, frame.module.scope(value))
    calls = [s.value for s in bound if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)]
    return calls[-1] if calls else None


def _argument_position(call: ast.Call, value: ast.expr) -> int | None:
    written = ast.dump(value)
    return next((n for n, a in enumerate(call.args) if ast.dump(a) == written), None)


def differentiated_argument(found: AtGrad) -> ast.expr | None:
    """Find what the call at fault passes for the argument that grad differentiates."""
    if found.grad is None or found.call is None:
        return None
    option = found.grad.option("argnums")
    position = option.value if isinstance(option, ast.Constant) else 0
    return argument(found.call, position) if isinstance(position, int) else None


def cotangent_count(context: FailureContext) -> CustomRule:
    """A custom rule returns another number of cotangents than there are arguments."""
    rules = tuple(rule for module in context.modules.values() for rule in _rules(module))
    shaped = cotangents.other_shape(context, rules)
    if shaped is not None:
        return shaped
    place = result_place(rules[0][0], rules[0][2]) if len(rules) == 1 else None
    facts = {"function": name_of(rules[0][1])} if len(rules) == 1 and rules[0][1] else {}
    return CustomRule(place, facts, context=context, rules=rules)


def _rules(module: Module) -> Iterator[tuple[Module, FunctionNode | None, FunctionNode]]:
    """List the custom rules of a file: the function that has one, and its bwd."""
    for call in module.calls:
        if isinstance(call.func, ast.Attribute):
            given = argument(call, 1, "bwd") if call.func.attr == "defvjp" else None
            rule = resolve(module, given, call) if given is not None else None
            if rule is not None:
                yield module, resolve(module, call.func.value, call), rule
