"""Matches and fixes bodies of NNX's loops that return a part of their carry."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_LOOPS = {"fori_loop": (2, 3, 1), "while_loop": (1, 2, 0)}


class PartOfCarry(AtCall, frozen=True, kw_only=True):
    """A body that returns one part of its carry; `written` is the whole carry."""

    module_of: Module
    result: ast.expr
    written: str


def part_of_carry(context: FailureContext) -> PartOfCarry | None:
    """The body of a loop of NNX takes several parts of a carry apart, and returns one of them."""
    call = at_call(context)
    path = call.frame.callee(call.node) if call is not None else None
    where = _LOOPS.get(last_part(path))
    if call is None or where is None or context.library != "flax":
        return None
    body, start, place = where
    names = [argument(call.node, body, "body_fun"), argument(call.node, start, "init_val")]
    function = resolve(call.module, names[0], call.node) if names[0] is not None else None
    carry = bound_value(call.module, names[1]) if names[1] is not None else None
    result = result_of(function) if function is not None else None
    if function is None or result is None or not isinstance(carry, ast.Tuple):
        return None
    parts = _carry_names(function, place)
    size = len(result.elts) if isinstance(result, ast.Tuple) else 1
    if len(parts) != len(carry.elts) or size >= len(parts):
        return None
    written = _carry_text(call.frame, carry, parts, result) if size == 1 else ""
    facts = {
        "name": call.module.text(result),
        "argument": written or f"{len(parts)} parts",
        "container": call.module.text(carry),
        "function": call.module.text(call.node.func),
    }
    return PartOfCarry(
        call.module.location(result),
        facts,
        "" if written else "several",
        context=context,
        node=call.node,
        module_of=call.module,
        result=result,
        written=written,
    )


def _carry_names(function: FunctionNode, place: int) -> list[str]:
    """Return the names into which a body takes its carry apart."""
    names = parameter_names(function)
    if place >= len(names):
        return []
    for node in own_nodes(function):
        if isinstance(node, ast.Assign) and path_of(node.value) == names[place]:
            target = node.targets[0]
            return [path_of(t) or "" for t in getattr(target, "elts", ())]
    return []


def _carry_text(frame: FrameContext, carry: ast.Tuple, parts: list[str], result: ast.expr) -> str:
    """Write the whole carry with the result in the place of its only part without a module.

    A module of NNX is changed in place, and goes out as it came in.
    """
    values = [n for n, item in enumerate(carry.elts) if not is_module_of("nnx", frame, item)]
    if len(values) != 1 or "" in parts:
        return ""
    texts = [*parts]
    texts[values[0]] = frame.module.text(result)
    return ", ".join(texts)


def whole_carry(found: PartOfCarry) -> Drafts:
    """Return the modules as they came in, beside the result."""
    if found.written:
        yield Draft(found.module_of).certain().replace(found.result, found.written)


RULES = (Rule("nnx-loop-returns-part", raised(part_of_carry), whole_carry),)
