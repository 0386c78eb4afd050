"""Finds evaluations of Equinox models with dropout that never switch to inference."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.logits import is_model, whole_model
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import Definition, Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import differentiated
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in, calls_to
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
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
        if _runs_first(module, function, {f.name for f in trained if isinstance(f, Definition)}):
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


def _runs_first(module: Module, function: Definition, losses: set[str]) -> bool:
    """Return whether a function calls or maps its first parameter, or passes it to a loss."""
    names = parameter_names(function)[:1]
    for call in calls_in(function):
        maps = (module.dotted(call.func) or "").endswith("vmap") or path_of(call.func) in losses
        first = path_of(call.args[0]) if call.args and maps else path_of(call.func)
        if first in names:
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
        statement.value
        for scope in (module.scope(node), module.tree)
        for statement in module.assignments(node.id, scope)
        if isinstance(statement, ast.Assign)
    ]
    return any(isinstance(v, ast.Call) and path_of(v.func) == model.name for v in bound)


def switch_to_inference(found: EvaluatedInTraining) -> Drafts:
    """Pass the model as it is in an evaluation."""
    draft = Draft(found.module)
    yield draft.wrap(found.model, f"{draft.name('equinox.nn.inference_mode')}(", ")")
