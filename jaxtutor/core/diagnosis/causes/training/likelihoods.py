"""Finds log-likelihoods that an optimizer is given as a loss, so that training makes them small."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.signs import descends
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.reading.calls import called_identifier
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import reduced_array

_AVERAGES = ("mean", "sum", "nanmean", "average")
_LOGS = ("log_softmax", "log_sigmoid")
_DENSITIES = ("log_prob", "logpdf", "logpmf")


class Likelihood(ExpressionFinding, frozen=True, kw_only=True):
    """A mean of log-probabilities that training makes small."""


def read_likelihoods(module: Module) -> Iterator[Likelihood]:
    """Yield what a differentiated function returns if it is a mean of log-probabilities."""
    if not descends(module) or _turns_sign(module):
        return
    for function in _losses(module):
        end = result_of(function)
        value = end.elts[0] if isinstance(end, ast.Tuple) and end.elts else end
        if value is None or not _is_likelihood(module, function, value):
            continue
        made = bound_value(module, value)
        facts = {"function": name_of(function)}
        yield Likelihood(None, facts, "likelihood", module=module, node=made)


def negate_likelihood(found: Likelihood) -> Drafts:
    """Negate the mean of log-probabilities."""
    yield Draft(found.module).before(found.node, "-")


def _losses(module: Module) -> set[FunctionNode]:
    """Return the functions whose gradient the file takes."""
    return {a.function for a in applied(module) if "grad" in a.kind and a.function is not None}


def _turns_sign(module: Module) -> bool:
    """Return whether a file negates something other than a number, or a distribution's part."""
    for node in module.nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if not isinstance(node.operand, ast.Constant):
                return True
        elif isinstance(node, ast.Attribute) and node.attr in ("negative", "neg", "scale"):
            return True
    return False


def _is_likelihood(module: Module, function: FunctionNode, node: ast.expr) -> bool:
    """Return whether an expression averages log-probabilities of labels, with their own sign."""
    inner = _averaged_terms(module, bound_value(module, node))
    if isinstance(inner, ast.Call) and called_identifier(inner) in _DENSITIES:
        return called_identifier(inner) == "log_prob" or len(inner.args) > 1
    if isinstance(inner, ast.Subscript):
        inner = bound_value(module, inner.value)
    if isinstance(inner, ast.Call) and called_identifier(inner) == "take_along_axis":
        return bool(inner.args) and _is_log(module, inner.args[0])
    if not isinstance(inner, ast.BinOp) or not isinstance(inner.op, ast.Mult):
        return False
    for one, other in ((inner.left, inner.right), (inner.right, inner.left)):
        if _is_log(module, one) and _is_label(module, function, other):
            return True
    return False


def _averaged_terms(module: Module, node: ast.expr) -> ast.expr:
    """Return what is averaged: `x` of `jnp.mean(jnp.sum(x, axis=-1))`."""
    array = reduced_array(module, node, *_AVERAGES)
    return node if array is None else _averaged_terms(module, bound_value(module, array))


def _is_log(module: Module, node: ast.expr) -> bool:
    value = bound_value(module, node)
    return called_identifier(value) in _LOGS


def _is_label(module: Module, function: FunctionNode, node: ast.expr) -> bool:
    """Return whether an expression is one-hot, or a parameter that is not differentiated."""
    value = bound_value(module, node)
    if called_identifier(value) == "one_hot":
        return True
    given = parameter_names(function)[1:]
    return isinstance(node, ast.Name) and node.id in given and not names_in(value) - {node.id}
