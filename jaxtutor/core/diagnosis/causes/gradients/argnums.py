"""Matches and fixes gradients that are a tuple because `argnums` is one."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import every
from jaxtutor.core.diagnosis.reading.calls import keyword_value


class TupleOfOne(InContext, frozen=True, kw_only=True):
    """An option `argnums`, in the file `home`, that names one argument in a tuple."""

    home: Module
    option: ast.Tuple | ast.List


def tuple_of_one(context: FailureContext) -> TupleOfOne | None:
    """The gradient is a tuple of one tree, and the parameters are a tree."""
    found = [
        (item.module, option)
        for item in every(context, "grad", "value_and_grad")
        if item.call is not None
        and isinstance(option := keyword_value(item.call, "argnums"), ast.Tuple | ast.List)
        and len(option.elts) == 1
    ]
    if len(found) != 1 or context.frame is None:
        return None
    home, option = found[0]
    if any(map(_unpacks_one, context.modules.values())):
        return None
    facts = {"argument": home.text(option), "condition": home.text(option.elts[0])}
    return TupleOfOne(home.location(option), facts, context=context, home=home, option=option)


def _unpacks_one(module: Module) -> bool:
    """Return whether a file takes one item out of a result: the gradient may be meant."""
    made = {
        name.id
        for node in module.nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    for node in module.nodes:
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store) and len(node.elts) == 1:
            return True
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=0)):
                if name in made:
                    return True
            case ast.Subscript(value=ast.Call(), slice=ast.Constant(value=0)):
                return True
    return False


def plain_number(found: TupleOfOne) -> Drafts:
    """Name the argument by its number: nothing else makes the gradient a tree like it."""
    number = found.home.text(found.option.elts[0])
    yield Draft(found.home).certain().replace(found.option, number)


RULES = (Rule("argnums-in-a-tuple", raised(tuple_of_one), plain_number),)
