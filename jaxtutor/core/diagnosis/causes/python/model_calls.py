"""Matches and fixes calls of NumPyro that do not pass on what the learner's model takes."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.source import FunctionNode
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.library_calls import in_sight

_MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")
_OWN = {"init": 1, "run": 2, "update": 1, "evaluate": 1, "stable_update": 1}
"""Methods of `SVI` that pass on what follows this many arguments of their own."""


class NotPassedOn(AtCall, frozen=True, kw_only=True):
    """A call that passes nothing on to a model; `names` are what the model takes."""

    names: tuple[str, ...]


def model_arguments(
    context: FailureContext, frame: FrameContext, model: FunctionNode
) -> NotPassedOn | None:
    """A call of `SVI` or `MCMC` passes its own arguments only, and the model needs more."""
    call, said = context.call, _MISSING.search(context.message)
    if call is None or said is None or context.library != "numpyro":
        return None
    own = _OWN.get(method_of(call))
    is_whole = own is not None and len(call.args) <= own
    names = tuple(a.arg for a in parameters(model) if a.arg not in ("self", "cls"))
    missing = re.findall(r"'(\w+)'", said[1])
    given = {k.arg for k in call.keywords}
    if not is_whole or not names or names[0] not in missing or given & set(names):
        return None
    facts = {
        "name": frame.module.text(call.func),
        "function": name_of(model),
        "argument": ", ".join(names),
        "condition": ", ".join(f"`{name}`" for name in missing),
    }
    return NotPassedOn(None, facts, "model_arguments", context=context, node=call, names=names)


def pass_on(found: NotPassedOn) -> Drafts:
    """Pass on what the model takes, if the program has it under the same names."""
    if all(in_sight(found.frame, name) for name in found.names):
        draft, call = Draft(found.module).certain(), found.node
        if call.keywords:
            last = call.args[-1] if call.args else None
            if isinstance(last, ast.expr):
                yield draft.after(last, ", " + ", ".join(found.names))
        else:
            yield add_argument(draft, call, ", ".join(found.names))
