"""Writes a training step that keeps the statistics which its model updates: Flax's usual form."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.libraries.flax.variables import AtApply
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import add_argument, add_option, fresh_name
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied
from jaxtutor.core.diagnosis.reading.calls import calls_in, is_call_of, keyword_of
from jaxtutor.core.diagnosis.reading.functions import result_of


def keep_statistics(found: AtApply) -> Draft | None:
    """Let the loss return the updated collection as well, and let the train state store it.

    None where the loss, its gradient and the state do not stand together in one function.
    """
    module, call, name = found.frame.module, found.call, found.name
    loss = module.function(call)
    taken = module.parents.get(call)
    result = result_of(loss) if isinstance(loss, ast.FunctionDef) else None
    if loss is None or result is None or isinstance(result, ast.Tuple):
        return None
    items = [a for a in applied(module) if a.function is loss and a.kind in _GRADIENTS]
    if len(items) != 1 or items[0].option("has_aux") is not None or items[0].is_decorator:
        return None
    taking = _taking(module, items[0])
    step = module.function(loss)
    stored = _applying_call(step, name) if step is not None else None
    if taking is None or stored is None or keyword_of(stored, name) is not None:
        return None
    if not isinstance(taken, ast.Assign) or not isinstance(taken.targets[0], ast.Name):
        return None
    updates = fresh_name(module, "updates", "new_variables")
    draft = add_argument(add_option(items[0], "has_aux=True"), call, f'mutable=["{name}"]')
    draft.after(taken.targets[0], f", {updates}").after(result, f", {updates}")
    if isinstance(taking, ast.Tuple):
        draft.wrap(taking.elts[0], "(", f", {updates})")
    else:
        draft.after(taking, f", {updates}")
    return add_argument(draft, stored, f'{name}={updates}["{name}"]').certain()


_GRADIENTS = ("grad", "value_and_grad")


def _taking(module: Module, item: AppliedTransform) -> ast.expr | None:
    """Return what takes the gradient: a name, or the names of the value and the gradient."""
    made = module.parents.get(item.node)
    call = made if isinstance(made, ast.Call) and made.func is item.node else None
    match made:
        case ast.Assign(targets=[ast.Name(id=name)]):
            calls = [n for n in module.calls if is_call_of(n, name)]
            call = calls[0] if len(calls) == 1 else None
    statement = module.parents.get(call) if call is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if item.kind == "grad":
        return target if isinstance(target, ast.Name) else None
    is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
    is_named = isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name)
    return target if is_pair and is_named else None


def _applying_call(step: FunctionNode, name: str) -> ast.Call | None:
    """Return the only `state.apply_gradients` of a function that reads the state's collection."""
    read = {
        path_of(n.value) for n in ast.walk(step) if isinstance(n, ast.Attribute) and n.attr == name
    }
    calls = [
        n
        for n in calls_in(step)
        if isinstance(n.func, ast.Attribute)
        and n.func.attr == "apply_gradients"
        and path_of(n.func.value) in read
    ]
    return calls[0] if len(calls) == 1 else None
