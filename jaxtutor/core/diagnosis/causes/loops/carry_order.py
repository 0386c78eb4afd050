"""Matches and fixes a carry whose parts a body returns in another order than it takes them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.engine.transforms import find_in_frames, function_argument
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of

_CARRY = {"scan": 0, "fori_loop": 1, "while_loop": 0}
"""The loops whose body takes a carry, and the position of that parameter."""


class ReorderedCarry(AtFrame, frozen=True, kw_only=True):
    """A carry that a body returns in another order, in the file `home`."""

    home: Module
    carry: ast.Tuple
    order: tuple[str, ...]


def parts_swapped(context: FailureContext) -> ReorderedCarry | None:
    """The body of a loop takes its carry apart, and returns the same names in another order."""
    loop = find_in_frames(context, *_CARRY)
    if context.frame is None or loop is None:
        return None
    is_while = loop.kind == "while_loop"
    body = function_argument(loop, 1, "body_fun") if is_while else loop.function
    value = result_of(body) if body is not None else None
    if loop.kind == "scan" and isinstance(value, ast.Tuple):
        value = value.elts[0] if value.elts else None
    order = _carry_names(body, _CARRY[loop.kind]) if body is not None else ()
    if not isinstance(value, ast.Tuple) or not order:
        return None
    given = tuple(getattr(part, "id", "") for part in value.elts)
    if given == order or sorted(given) != sorted(order) or len(set(order)) < len(order):
        return None
    facts = {"name": ", ".join(order), "argument": ", ".join(given)}
    return ReorderedCarry(
        loop.module.location(value),
        facts,
        context=context,
        home=loop.module,
        carry=value,
        order=order,
    )


def _carry_names(body: FunctionNode, position: int) -> tuple[str, ...]:
    """Return the names into which a body takes its carry apart, in their order."""
    given = [a.arg for a in parameters(body) if a.arg != "self"]
    carry = given[position] if position < len(given) else ""
    for node in own_nodes(body):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if (
                name == carry
            ):
                return tuple(getattr(part, "id", "") for part in parts)
    return ()


def same_order(found: ReorderedCarry) -> Drafts:
    """Return the parts in the order in which the body takes them."""
    draft = Draft(found.home).certain()
    for part, name in zip(found.carry.elts, found.order, strict=True):
        draft.replace(part, name)
    yield draft


RULES = (Rule("carry-parts-swapped", raised(parts_swapped), same_order),)
