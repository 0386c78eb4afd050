"""Matches and fixes optimizers of NNX for other variables than the gradients are of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, keyword_value, method_of


class WholeState(InContext, frozen=True, kw_only=True):
    """A call of `nnx.state` without a filter, whose result an optimizer's `init` gets."""

    module: Module
    made: ast.Call


class OtherVariables(InContext, frozen=True, kw_only=True):
    """The filter of an `nnx.Optimizer`, and the one of the gradients that it is given."""

    module: Module
    optimized: ast.expr
    differentiated: str


def other_variables(context: FailureContext) -> InContext | None:
    """An optimizer of NNX gets gradients of fewer variables than it was made for."""
    whole = _whole_state(context)
    if whole is not None:
        return whole
    frame, call = context.frame, context.call
    func = call.func if call is not None else None
    if frame is None or method_of(call) != "update" or not isinstance(func, ast.Attribute):
        return None
    fact = frame.fact(func.value)
    if fact is None or not any(b.startswith("flax.nnx.training.optimizer.") for b in fact.bases):
        return None
    made = [(m, w) for m, c in _nnx_calls(context, "Optimizer") if (w := keyword_value(c, "wrt"))]
    states = [
        (m, f) for m, c in _nnx_calls(context, "DiffState") if (f := argument(c, 1, "filter"))
    ]
    kinds = {ast.dump(f): m.text(f) for m, f in states}
    if len(made) != 1 or len(kinds) != 1 or ast.dump(made[0][1]) in kinds:
        return None
    module, optimized = made[0]
    differentiated = next(iter(kinds.values()))
    facts = {
        "name": frame.module.text(func.value),
        "argument": module.text(optimized),
        "detail": differentiated,
    }
    place = module.location(optimized)
    return OtherVariables(
        place,
        facts,
        context=context,
        module=module,
        optimized=optimized,
        differentiated=differentiated,
    )


def _nnx_calls(context: FailureContext, name: str) -> Iterator[tuple[Module, ast.Call]]:
    """List the calls of one of NNX's classes."""
    for module in context.modules.values():
        for node in calls_of(module, f"flax.nnx.{name}"):
            yield module, node


def same_filter(found: InContext) -> Drafts:
    """Make the optimizer for the variables that the gradients are of."""
    if isinstance(found, WholeState):
        yield Draft(found.module).certain().replace(found.made, found.facts["condition"])
    elif isinstance(found, OtherVariables):
        yield Draft(found.module).certain().replace(found.optimized, found.differentiated)


def _whole_state(context: FailureContext) -> WholeState | None:
    """Match a state of all variables in `init` of Optax, and gradients of the parameters."""
    if method_of(context.call) != "update" or "child keys" not in context.message:
        return None
    made = [
        (module, node.args[0], node)
        for module in context.modules.values()
        for node in module.calls
        if method_of(node) == "init" and len(node.args) == 1
        if isinstance(node.args[0], ast.Call)
        if module.dotted(node.args[0].func) == "flax.nnx.state"
    ]
    states = list(_nnx_calls(context, "DiffState"))
    if len(made) != 1 or states or not isinstance(made[0][1], ast.Call):
        return None
    module, state, init = made[0]
    if len(state.args) != 1 or state.keywords:
        return None
    nnx = next((a for a, p in module.imports.items() if p == "flax.nnx"), "nnx")
    written = f"{module.text(state)[:-1]}, {nnx}.Param)"
    facts = {
        "name": module.text(init.func),
        "argument": module.text(state),
        "detail": f"{nnx}.Param",
        "condition": written,
    }
    place = module.location(state)
    return WholeState(place, facts, "whole", context=context, module=module, made=state)


RULES = (Rule("gradients-of-other-variables", raised(other_variables), same_filter),)
