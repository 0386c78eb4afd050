"""Matches and fixes plates of NumPyro that choose some of the rows, where all rows are read."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import bound_names, path_of
from jaxtutor.core.diagnosis.reading.calls import argument

_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")


class PartOfRows(AtFrame, frozen=True, kw_only=True):
    """A plate with a subsample, and the `reads` of whole arrays in its block.

    `index` is the name of the chosen rows, which the statement binds if `is_bound`.
    """

    plate: ast.Call
    reads: tuple[ast.expr, ...]
    index: str
    is_bound: bool


def part_of_rows(found: AtFrame, plate: ast.Call, shapes: list[str]) -> PartOfRows | None:
    """Return the plate with `subsample_size=`, if arrays of all rows are read inside it."""
    size = argument(plate, 2, "subsample_size")
    module = found.module
    item = module.parents.get(plate)
    block = module.parents.get(item) if item is not None else None
    if size is None or not isinstance(item, ast.withitem) or not isinstance(block, ast.With):
        return None
    made = {name for statement in block.body for name in bound_names(statement)}
    counts = [shape.strip("(,) ") for shape in shapes[:2]]
    reads = [
        node
        for statement in block.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name | ast.Attribute)
        and _first_size(found.frame, node) in counts
        and (path_of(node) or "").partition(".")[0] not in made  # it follows the rows it is made of
        and not _is_indexed(module.parents.get(node), node)
    ]
    if not reads or len({_first_size(found.frame, node) for node in reads}) != 1:
        return None
    bound = item.optional_vars
    index = bound.id if isinstance(bound, ast.Name) else ""
    index = index or next((n for n in ("idx", "rows") if not found.frame.fact(n)), "")
    index = index or fresh_name(module, "idx")
    named = module.text(reads[0])
    facts = {
        "name": module.text(size),
        "argument": named,
        "condition": f"with {module.text(plate)} as {index}:",
        "detail": f"{named}[{index}]",
    }
    return PartOfRows(
        found.frame.place(plate),
        facts,
        "subsample",
        context=found.context,
        plate=plate,
        reads=tuple(reads),
        index=index,
        is_bound=bound is not None,
    )


def _first_size(frame: FrameContext, node: ast.AST) -> str:
    """Return the length of the first axis of an array that a name or path stands for."""
    fact = frame.fact(node) if path_of(node) is not None else None
    said = _FIRST.search(fact.detail) if fact is not None else None
    return said[1] if said is not None else ""


def _is_indexed(outer: ast.AST | None, node: ast.AST) -> bool:
    """Return whether only a part of an array, or its shape, is read; or whether it is assigned."""
    is_stored = not isinstance(getattr(node, "ctx", None), ast.Load)
    is_part = isinstance(outer, ast.Subscript) and outer.value is node
    return is_stored or is_part or isinstance(outer, ast.Attribute)


def choose_rows(found: PartOfRows) -> Drafts:
    """Take the chosen rows of each array in the block."""
    draft = Draft(found.module).certain()
    if not found.is_bound:
        draft.after(found.plate, f" as {found.index}")
    for node in found.reads:
        draft.after(node, f"[{found.index}]")
    yield draft
