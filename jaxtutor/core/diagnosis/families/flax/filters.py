"""Matches and fixes optimizers of NNX for other variables than the gradients are of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.library_calls import method_of
from jaxtutor.core.diagnosis.reading import argument, keyword_value
from jaxtutor.core.diagnosis.rules import Drafts, InContext
from jaxtutor.core.diagnosis.source import Module


class OtherVariables(InContext, frozen=True, kw_only=True):
    """The filter of an `nnx.Optimizer`, and the one of the gradients that it is given."""

    module: Module
    optimized: ast.expr
    differentiated: str


def other_variables(context: FailureContext) -> OtherVariables | None:
    """An optimizer of NNX gets gradients of fewer variables than it was made for."""
    frame, call = context.frame, context.call
    func = call.func if call is not None else None
    if frame is None or method_of(call) != "update" or not isinstance(func, ast.Attribute):
        return None
    fact = frame.fact(func.value)
    if fact is None or not any(b.startswith("flax.nnx.training.optimizer.") for b in fact.bases):
        return None
    made = [(m, w) for m, c in _calls(context, "Optimizer") if (w := keyword_value(c, "wrt"))]
    states = [(m, f) for m, c in _calls(context, "DiffState") if (f := argument(c, 1, "filter"))]
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


def _calls(context: FailureContext, name: str) -> Iterator[tuple[Module, ast.Call]]:
    """List the calls of one of NNX's classes."""
    for module in context.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Call) and module.dotted(node.func) == f"flax.nnx.{name}":
                yield module, node


def same_filter(found: OtherVariables) -> Drafts:
    """Make the optimizer for the variables that the gradients are of."""
    yield Draft(found.module).certain().replace(found.optimized, found.differentiated)
