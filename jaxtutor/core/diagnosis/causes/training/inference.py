"""Finds evaluations of Equinox models with dropout that never switch to inference."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.logits import is_model, whole_model
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import differentiated
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in, calls_to
from jaxtutor.core.diagnosis.reading.functions import (
    called_function,
    parameter_names,
    parameters,
)
from jaxtutor.core.diagnosis.words import EVALUATIONS, SAMPLES, has_word, says

_LAYERS = ("equinox.nn.Dropout", "equinox.nn.BatchNorm")


class EvaluatedInTraining(Finding, frozen=True, kw_only=True):
    """A model that an evaluation gets as it is in training."""

    model: ast.Name


def read_inference(module: Module) -> Iterator[EvaluatedInTraining]:
    """Yield the calls of an evaluation that get a model as it is in training."""
    if not any(module.dotted(call.func) in _LAYERS for call in module.calls):
        return
    model = whole_model(module)
    if model is None or "inference" in module.source:
        return
    trained = differentiated(module)
    for function in module.functions:
        if not isinstance(function, Definition) or function in trained:
            continue
        if not has_word(function.name, EVALUATIONS) or not trained or _averages_draws(function):
            continue
        if _runs_first(module, function, trained):
            for call, given in _models_given(module, function, model):
                facts = {"name": module.text(given)}
                yield EvaluatedInTraining(
                    None,
                    facts,
                    "inference",
                    module=module,
                    node=call,
                    model=given,
                    is_certain=False,  # only its name says that the function evaluates
                )


def _averages_draws(function: Definition) -> bool:
    """Return whether an evaluation averages draws on purpose, as its names say."""
    names = names_in(function) | {function.name, *(parameter_names(function))}
    return any(says(name, SAMPLES) for name in names)


def _runs_first(
    module: Module, function: Definition, trained: set[FunctionNode], steps: int = 2
) -> bool:
    """Return whether a function runs its first parameter, or passes it on to one that does."""
    names = parameter_names(function)[:1]
    for call in calls_in(function):
        maps = (module.dotted(call.func) or "").endswith("vmap")
        callee = called_function(module, call)
        if path_of(call.func) in names or (maps and call.args and path_of(call.args[0]) in names):
            return True
        if not call.args or path_of(call.args[0]) not in names or callee is None:
            continue
        if callee in trained or (steps and _runs_first(module, callee, trained, steps - 1)):
            return True
    return False


def _models_given(
    module: Module, function: Definition, model: ast.ClassDef
) -> Iterator[tuple[ast.Call, ast.Name]]:
    """Yield the calls of a function that pass the model, and what they pass."""
    for call in calls_to(module, function.name):
        for parameter in parameters(function)[:1]:
            given = argument_for(function, call, parameter.arg)
            if isinstance(given, ast.Name) and _is_made_from(module, given, model):
                yield call, given


def _is_made_from(module: Module, node: ast.Name, model: ast.ClassDef) -> bool:
    """Return whether a name was first bound to an object of the class, or may be one."""
    if is_model(module, node, model):
        return True
    bound = [
        value
        for scope in (module.scope(node), module.tree)
        for statement in module.assignments(node.id, scope)
        if isinstance(statement, ast.Assign)
        for value in _values_for(statement, node.id)
    ]
    return any(isinstance(v, ast.Call) and path_of(v.func) == model.name for v in bound)


def _values_for(statement: ast.Assign, name: str) -> Iterator[ast.expr]:
    """Yield what an assignment gives to a name, also as one of several."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from (v for t, v in zip(targets, values, strict=False) if path_of(t) == name)
        case _:
            yield statement.value


def switch_to_inference(found: EvaluatedInTraining) -> Drafts:
    """Pass the model as it is in an evaluation."""
    draft = Draft(found.module)
    yield draft.wrap(found.model, f"{draft.name('equinox.nn.inference_mode')}(", ")")
