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
from jaxtutor.core.diagnosis.reading.patterns import first_match, fits
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


def _divides_again(module: Module, function: FunctionNode, quotient: ast.expr) -> bool:
    """Return whether a mean over a batch is divided by the size of the same batch."""
    found = first_match(module, quotient, "jnp.mean($e) / $x.shape[0]", "jnp.mean($e) / len($x)")
    if found is None or any(fits(module, n, "jnp.mean($e)") for n in ast.walk(found["e"])):
        return False  # it is not a variance either, divided for that of a mean
    return path_of(found["x"]) in _read_for(module, function, found["e"])


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
