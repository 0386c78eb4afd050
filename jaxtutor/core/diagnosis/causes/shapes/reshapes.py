"""Matches and fixes a reshape into another number of elements."""

from __future__ import annotations

import ast
import math
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import elements

_OF_JAX = re.compile(
    r"cannot reshape array of shape \(([\d, ]*)\) \(size (\d+)\) into shape \((.*?)\)"
)
_OF_NUMPY = re.compile(r"cannot reshape array of size (\d+) into shape \(([\w,]*)\)")
_OPEN = ("-1", "newaxis")


class OtherSize(AtCall, frozen=True, kw_only=True):
    """A call of `reshape` whose sizes do not have as many elements as the array.

    `batch` is the size written for the first axis, where the others are those of the array.
    """

    array: ast.expr
    batch: ast.expr | None


def other_size(context: FailureContext) -> OtherSize | None:
    """The sizes of a reshape have another number of elements than the array."""
    call = at_call(context)
    read = _said_sizes(context.message)
    if call is None or read is None:
        return None
    shape, count, wanted = read
    parts = _array_and_sizes(call)
    if parts is None:
        return None
    array, sizes = parts
    known = math.prod(size for size in wanted if size is not None)
    is_open = None in wanted
    text = call.module.text
    facts = {
        "name": text(array),
        "detail": f"{count} elements"
        if not shape
        else f"the shape {_shown(shape)}, {count} elements",
        "argument": ", ".join("-1" if size is None else str(size) for size in wanted),
        "condition": str(known),
    }
    batch = _batch(shape, wanted, sizes)
    form = "batch" if batch is not None else "open" if is_open else ""
    if batch is not None:
        facts["container"] = f"{atom(call.module, array)}.shape[0]"
        facts["function"] = text(batch)
    return OtherSize(None, facts, form, context=context, node=call.node, array=array, batch=batch)


def _said_sizes(message: str) -> tuple[tuple[int, ...], int, list[int | None]] | None:
    """Read the shape of the array, its number of elements and the sizes that were given."""
    said = _OF_JAX.search(message)
    if said is not None:
        shape = tuple(int(n) for n in said[1].split(",") if n.strip())
        count, wanted = int(said[2]), said[3]
    else:
        said = _OF_NUMPY.search(message)
        if said is None:
            return None
        shape, count, wanted = (), int(said[1]), said[2]
    sizes = [part.strip() for part in wanted.split(",") if part.strip()]
    if not all(part in _OPEN or part.isdigit() for part in sizes):
        return None
    return shape, count, [None if part in _OPEN else int(part) for part in sizes]


def _array_and_sizes(call: AtCall) -> tuple[ast.expr, list[ast.expr]] | None:
    """Return the array of a call of `reshape`, and its sizes where they are written out."""
    func, given = call.node.func, list(call.node.args)
    if last_part(call.path) == "reshape" and call.path.startswith(("jax.", "numpy.")):
        if not given:
            return None
        array, given = given[0], given[1:]
    elif isinstance(func, ast.Attribute) and func.attr == "reshape":
        array = func.value
    else:
        return None
    if len(given) == 1:
        whole = bound_value(call.module, given[0])
        given = elements(whole)
    return array, given


def _batch(
    shape: tuple[int, ...], wanted: list[int | None], sizes: list[ast.expr]
) -> ast.expr | None:
    """Return the size written for the batch, if only the number of examples differs from it.

    The last batch of a data set is often shorter than the others.
    """
    if len(sizes) != len(wanted) or len(shape) < 2 or wanted[0] in (None, shape[0]):
        return None
    if None in wanted:
        return None  # with -1 it may be meant to split each example
    known = [size for size in wanted if size is not None]
    is_alike = math.prod(shape[1:]) == math.prod(known[1:])
    return sizes[0] if is_alike and known[0] > shape[0] else None


def _shown(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def fit_batch(found: OtherSize) -> Drafts:
    """Take the number of examples from the array."""
    if found.batch is not None:
        yield Draft(found.module).certain().replace(found.batch, found.facts["container"])


RULES = (Rule("reshape-size-mismatch", raised(other_size), fit_batch),)
