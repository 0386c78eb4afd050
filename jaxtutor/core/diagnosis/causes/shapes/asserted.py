"""Matches and fixes assertions of Chex that count the axis which vmap takes away."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import find_in_frames
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.values import elements

_SHAPE = re.compile(r"input (\d+) has shape \(([^)]*)\) but expected \(([^)]*)\)")
_RANK = re.compile(r"input (\d+) has rank (\d+) \(shape .*?\) but expected (\d+)")


class AssertedBatch(AtCall, frozen=True, kw_only=True):
    """An assertion, and the shape or the rank in it that has one axis too many."""

    expected: ast.expr


def asserted_batch(context: FailureContext) -> AssertedBatch | None:
    """An assertion under vmap expects the shape or the rank of the whole batch."""
    is_mapped = context.failure.transformation == "vmap" or find_in_frames(context, "vmap")
    call, number = at_call(context), _short_input(context.message)
    if call is None or not is_mapped or number is None or not call.path.startswith("chex."):
        return None
    names = ("expected_shapes", "expected_ranks")
    expected = _expected(argument(call.node, 1, *names), number)
    written = _without_batch(call.module, expected) if expected is not None else ""
    if expected is None or not written:
        return None
    facts = {"name": call.module.text(expected), "argument": written}
    return AssertedBatch(
        None, facts, "asserted", context=context, node=call.node, expected=expected
    )


def _short_input(message: str) -> int | None:
    """Return the number of the input that lacks exactly the first of the expected axes."""
    if said := _RANK.search(message):
        return int(said[1]) if int(said[3]) == int(said[2]) + 1 else None
    said = _SHAPE.search(message)
    if said is None:
        return None
    sizes, expected = (re.findall(r"\w+", said[n]) for n in (2, 3))
    pairs = zip(sizes, expected[1:], strict=False)
    fits = all(size == wanted or wanted == "None" for size, wanted in pairs)
    return int(said[1]) if fits and len(expected) == len(sizes) + 1 else None


def _expected(given: ast.expr | None, number: int) -> ast.expr | None:
    """Return what an assertion expects of one input; a single expectation is for all of them."""
    items = elements(given)
    is_each = isinstance(given, ast.List) or any(isinstance(i, ast.Tuple | ast.List) for i in items)
    return items[number] if is_each and number < len(items) else given


def _without_batch(module: Module, expected: ast.expr) -> str:
    """Write a shape without its first axis, or a rank that is one less."""
    match expected:
        case ast.Constant(value=int(rank)) if rank > 0:
            return str(rank - 1)
        case ast.Tuple(elts=[_, *rest]):
            return tuple_text([module.text(item) for item in rest]) if rest else "()"
    return ""


def expect_one_example(found: AssertedBatch) -> Drafts:
    """Expect the shape of one example."""
    yield Draft(found.module).certain().replace(found.expected, found.facts["argument"])
