"""Matches and fixes backward rules whose cotangents do not fit the arguments."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of

Rules = tuple[tuple[Module, FunctionNode | None, FunctionNode], ...]


class CustomRule(InContext, frozen=True, kw_only=True):
    """A cause in a custom derivative: the rules of the program, each with its primal function."""

    rules: tuple[tuple[Module, FunctionNode | None, FunctionNode], ...]


class OtherShape(CustomRule, frozen=True, kw_only=True):
    """One cotangent of another shape than its argument; `extra` counts its leading axes."""

    home: Module
    value: ast.expr
    extra: int


_SHAPES = re.compile(
    r"bwd rule attached to (\w+) .*?at output\[(\d+)\] the bwd rule produced an output of type "
    r"(\w+\[([\d,]*)\]) corresponding to an input of type (\w+\[([\d,]*)\])",
    re.S,
)


def other_shape(context: FailureContext, rules: Rules) -> OtherShape | None:
    """A backward rule returns a cotangent that does not have the shape of its argument."""
    said = _SHAPES.search(context.message)
    found = [r for r in rules if said is not None and name_of(r[1]) == said[1]]
    if said is None or len(found) != 1:
        return None
    module, primal, rule = found[0]
    value = result_of(rule)
    position, given = int(said[2]), parameters(primal)
    if not isinstance(value, ast.Tuple) or position >= len(value.elts):
        return None
    entry = value.elts[position]
    made, wanted = (tuple(shape.split(",")) if shape else () for shape in (said[4], said[6]))
    extra = len(made) - len(wanted)
    facts = {
        "expression": module.text(entry),
        "name": given[position].arg if position < len(given) else "",
        "detail": said[3],
        "argument": said[5],
    }
    return OtherShape(
        module.location(entry),
        facts,
        "shape",
        context=context,
        rules=rules,
        home=module,
        value=entry,
        extra=extra if extra > 0 and made[extra:] == wanted else 0,
    )


def sum_over_batch(found: OtherShape) -> Drafts:
    """Add up the cotangents along the axes that the argument does not have."""
    if found.extra:
        axes = "0" if found.extra == 1 else f"({', '.join(map(str, range(found.extra)))})"
        text = f"{atom(found.home, found.value)}.sum(axis={axes})"
        yield Draft(found.home).replace(found.value, text)
