"""Matches and fixes `optimizer.model`, which optimizers of NNX had in older versions of Flax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_of, method_of, method_owner

_OPTIMIZER = "flax.nnx.Optimizer"


class WithoutModel(AtFrame, frozen=True, kw_only=True):
    """An optimizer of NNX from which the model is read; `owner` is the expression for it."""

    owner: str


def without_model(context: FailureContext) -> WithoutModel | None:
    """The model is read from an optimizer of NNX, which no longer keeps it."""
    frame = context.frame
    if frame is None or not isinstance(frame.node, ast.Attribute) or frame.node.attr != "model":
        return None
    owner = frame.module.text(frame.node.value)
    facts = {"name": f"{owner}.model", "container": owner}
    return WithoutModel(None, facts, context=context, owner=owner)


def keep_model(found: WithoutModel) -> Drafts:
    """Make an optimizer that keeps its model, and that takes the gradients alone."""
    for module in found.context.modules.values():
        made = [n.func for n in calls_of(module, _OPTIMIZER)]
        if made and (module is found.module or not list(_model_updates(found.module))):
            draft = Draft(module).certain()
            for node in made:
                text = module.text(node)
                draft.replace(node, re.sub(r"Optimizer$", "ModelAndOptimizer", text))
            for call in _model_updates(module):
                draft.replace(_first_argument(module, call), "")
            yield draft


def _model_updates(module: Module) -> Iterator[ast.Call]:
    """Yield the calls `optimizer.update(optimizer.model, grads)`."""
    for node in module.calls:
        if method_of(node) == "update" and len(node.args) == 2:
            owner = path_of(method_owner(node))
            if owner is not None and path_of(node.args[0]) == f"{owner}.model":
                yield node


def _first_argument(module: Module, call: ast.Call) -> Span:
    """Return the span from the first argument of a call to the second."""
    first, second = (module.span(a) for a in call.args)
    return Span(first.line, first.column, second.line, second.column)


RULES = (Rule("optimizer-without-model", raised(without_model), keep_model),)
