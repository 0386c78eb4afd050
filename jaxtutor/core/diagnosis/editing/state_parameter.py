"""Makes the parameters of a train state an argument, to differentiate with respect to it."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import all_names

FIELD = "params"


def take_out_parameters(grad: AppliedTransform, call: ast.Call) -> Draft | None:
    """Give a loss the parameters as its first argument, and pass them in its calls.

    None if the loss does not read them from its first argument, or is passed on elsewhere.
    """
    module, loss = grad.module, grad.function
    given = parameters(loss) if loss is not None else []
    if loss is None or not given or not call.args or path_of(call.args[0]) is None:
        return None
    state = given[0].arg
    read = [n for n in ast.walk(loss) if path_of(n) == f"{state}.{FIELD}"]
    calls = _direct_calls(module, loss, grad)
    if not read or calls is None:
        return None
    is_free = FIELD not in all_names(loss)
    name = FIELD if is_free else fresh_name(module, "differentiated")
    draft = Draft(module).certain().before(given[0], f"{name}, ")
    for node in read:
        draft.replace(node, name)
    for each in (call, *calls):
        draft.before(each.args[0], f"{module.text(each.args[0])}.{FIELD}, ")
    return draft


def _direct_calls(
    module: Module, loss: FunctionNode, grad: AppliedTransform
) -> list[ast.Call] | None:
    """List the direct calls of a loss; None if it is used in another way than those."""
    name = getattr(loss, "name", "")
    uses = [n for n in module.nodes if isinstance(n, ast.Name) and n.id == name]
    inside = set(ast.walk(grad.node))
    calls = []
    for use in uses:
        parent = module.parents.get(use)
        if use in inside:
            continue
        if not isinstance(parent, ast.Call) or parent.func is not use or not parent.args:
            return None
        calls.append(parent)
    return calls if name else None
