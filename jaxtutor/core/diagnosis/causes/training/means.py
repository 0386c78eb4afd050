"""Finds losses that divide a mean by the number of examples a second time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, returned
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import wholly_reduced_array
from jaxtutor.core.diagnosis.words import SPREADS, has_word


class DividedMean(Finding, frozen=True, kw_only=True):
    """A mean that is divided by the number of examples again."""

    node: ast.BinOp


def read_means(module: Module) -> Iterator[DividedMean]:
    """Yield each `jnp.mean(errors) / x.shape[0]` that a differentiated loss returns."""
    for item in applied(module):
        function = item.function if item.kind in ("grad", "value_and_grad") else None
        if function is None or has_word(name_of(function), SPREADS):
            continue
        for end in returned(function):
            value = end.elts[0] if isinstance(end, ast.Tuple) and end.elts else end
            for quotient in _terms(module, value) if value is not None else ():
                if isinstance(quotient, ast.BinOp) and _divides_again(module, function, quotient):
                    size = module.text(quotient.right)
                    facts = {"name": module.text(quotient.left), "argument": size}
                    yield DividedMean(module=module, node=quotient, facts=facts)


def _terms(module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """Yield the terms of a sum, such as a loss and its penalty."""
    value = bound_value(module, node)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        yield from _terms(module, value.left)
        yield from _terms(module, value.right)
    else:
        yield value


def _divides_again(module: Module, function: FunctionNode, quotient: ast.BinOp) -> bool:
    """Return whether a mean over a batch is divided by the size of the same batch."""
    mean, batch = bound_value(module, quotient.left), _batch(module, quotient.right)
    averaged = wholly_reduced_array(module, mean, "mean")
    if not isinstance(quotient.op, ast.Div) or averaged is None or batch is None:
        return False
    return batch in _read_for(module, function, averaged) and not _deviates(module, averaged)


def _deviates(module: Module, averaged: ast.expr) -> bool:
    """Return whether a mean is of deviations from a mean: a variance, divided for a mean's."""
    inner = (n for n in ast.walk(averaged) if isinstance(n, ast.expr))
    return any(wholly_reduced_array(module, n, "mean") is not None for n in inner)


def _batch(module: Module, node: ast.expr) -> str | None:
    """Return the name of `x` of `x.shape[0]` and `len(x)`."""
    match bound_value(module, node):
        case ast.Subscript(
            value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=0)
        ):
            return path_of(array)
        case ast.Call(func=ast.Name(id="len"), args=[array]):
            return path_of(array)
    return None


def _read_for(module: Module, function: FunctionNode, node: ast.expr) -> set[str]:
    """Return the names that an expression is computed from in a function."""
    found, left = set[str](), set(names_in(node))
    given = set(parameter_names(function))
    while left:
        name = left.pop()
        found.add(name)
        for statement in module.assignments(name, function) if name not in given else ():
            left |= names_in(statement) - found
    return found


def keep_mean(found: DividedMean) -> Drafts:
    """Leave the second division out."""
    yield Draft(found.module).replace(found.node, found.module.text(found.node.left))


RULES = (Rule("mean-divided-again", read(read_means, imports=TRAINING), keep_mean),)
