"""Finds accuracies from one argmax over all scores of a batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, names_in, path_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import wholly_reduced_array

_AVERAGES = ("mean", "sum", "average", "count_nonzero")


def read_accuracies(module: Module) -> Iterator[CallFinding]:
    """Yield each argmax without an axis that is compared with the labels of many examples."""
    for call in module.calls:
        averaged = _averaged_values(module, call)
        same = bound_value(module, averaged) if averaged is not None else None
        if not isinstance(same, ast.Compare) or not isinstance(same.ops[0], ast.Eq):
            continue
        if len(same.comparators) != 1:
            continue
        sides = same.left, same.comparators[0]
        for one, other in (sides, sides[::-1]):
            found = bound_value(module, one)
            scores = _scores(module, found)
            if scores is None or not isinstance(found, ast.Call) or _is_single(module, other):
                continue
            if _is_predicted(module, scores) and not _shares_source(module, scores, other):
                facts = {"name": module.text(scores), "argument": module.text(other)}
                yield CallFinding(module=module, node=found, facts=facts)


def _averaged_values(module: Module, call: ast.Call) -> ast.expr | None:
    """Return what a call averages or counts, without a conversion to numbers."""
    array = wholly_reduced_array(module, call, *_AVERAGES)
    match array:
        case ast.Call(func=ast.Attribute(value=converted, attr="astype")):
            return converted
    return array


def _scores(module: Module, node: ast.expr) -> ast.expr | None:
    """Return the scores of an argmax over all of them."""
    match node:
        case ast.Call(func=func, args=[scores], keywords=[]) if (
            module.dotted(func) == "jax.numpy.argmax"
        ):
            return scores
        case ast.Call(func=ast.Attribute(attr="argmax", value=scores), args=[], keywords=[]):
            return scores
    return None


def _is_single(module: Module, node: ast.expr) -> bool:
    """Return whether what is compared may be one label, or a range of all classes."""
    value = bound_value(module, node)
    if _scores(module, value) is not None or isinstance(value, ast.Constant):
        return True
    return isinstance(value, ast.Subscript) or (
        isinstance(value, ast.Call) and (path_of(value.func) or "").endswith("arange")
    )


def _is_predicted(module: Module, scores: ast.expr) -> bool:
    """Return whether scores come from a model, or are an argument of the function."""
    value = bound_value(module, scores)
    if isinstance(value, ast.Call):
        path = module.dotted(value.func) or ""
        if path.endswith((".softmax", ".log_softmax", ".sigmoid")) and value.args:
            return _is_predicted(module, value.args[0])
        return not path.startswith(("jax.", "numpy."))
    function = module.function(scores)
    return isinstance(value, ast.Name) and value.id in set(parameter_names(function))


def _shares_source(module: Module, scores: ast.expr, other: ast.expr) -> bool:
    """Return whether both sides come from the same values, such as votes and their majority."""
    value = bound_value(module, scores)
    given = value.args if isinstance(value, ast.Call) else []
    used = {n for a in given for n in names_in(a)} | names_in(scores)
    return bool(used & names_in(other))


def add_axis(found: CallFinding) -> Drafts:
    """Take the argmax over the classes, the last axis."""
    yield add_argument(Draft(found.module), found.node, "axis=-1").certain()


RULES = (Rule("argmax-over-all", read(read_accuracies, imports=TRAINING), add_axis),)
