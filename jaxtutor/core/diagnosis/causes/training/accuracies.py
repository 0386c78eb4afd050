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
from jaxtutor.core.diagnosis.reading.patterns import find, first_match, fits, matches

_AVERAGED = tuple(
    f"jnp.{average}({same})"
    for average in ("mean", "sum", "average", "count_nonzero")
    for same in ("$same.astype(...)", "$same")
)
_OVER_ALL = "jnp.argmax($scores)"


def read_accuracies(module: Module) -> Iterator[CallFinding]:
    """Yield each argmax without an axis that is compared with the labels of many examples."""
    for _, averaged in find(module, *_AVERAGED):
        for sides in matches(module, averaged["same"], "$predicted == $labels"):
            labels, predicted = sides["labels"], bound_value(module, sides["predicted"])
            scores = first_match(module, predicted, _OVER_ALL)
            if scores is None or not isinstance(predicted, ast.Call) or _is_single(module, labels):
                continue
            scored = scores["scores"]
            if _is_predicted(module, scored) and not _shares_source(module, scored, labels):
                facts = {"name": module.text(scored), "argument": module.text(labels)}
                yield CallFinding(module=module, node=predicted, facts=facts)


def _is_single(module: Module, node: ast.expr) -> bool:
    """Return whether what is compared may be one label, or a range of all classes."""
    value = bound_value(module, node)
    if fits(module, value, _OVER_ALL) or isinstance(value, ast.Constant):
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
