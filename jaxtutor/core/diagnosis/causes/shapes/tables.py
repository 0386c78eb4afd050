"""Matches and fixes tables of positions with more rows, or fewer, than the input has steps."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value

_SHAPES = re.compile(r"for broadcasting: (?:shapes=\[)?\(([\d, ]+)\), \(([\d, ]+)\)")


class LongTable(AtFrame, frozen=True, kw_only=True):
    """An addition of a table of parameters and an input; `rows` writes the rows that are needed."""

    table: ast.expr
    rows: str


def unfit_table(context: FailureContext) -> LongTable | None:
    """A table with one row for each position is added to an input of another length."""
    found, said = at_frame(context), _SHAPES.search(context.message)
    if found is None or said is None:
        return None
    shapes = [tuple(map(int, re.findall(r"\d+", part))) for part in said.groups()]
    match found.at:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            sides = [left, right]
        case _:
            return None
    tables = [_is_table(found.frame, side) for side in sides]
    if sum(tables) != 1 or min(map(len, shapes)) < 2:
        return None
    at = tables.index(True)
    table, entry = sides[at], sides[1 - at]
    stored, given = shapes[at], shapes[1 - at]
    if stored[-1] != given[-1] or stored[-2] == given[-2] or set(stored[:-2]) - {1}:
        return None
    module = found.module
    index = ", ".join([":"] * (len(stored) - 2) + [f": {atom(module, entry)}.shape[-2]"])
    rows = f"{atom(module, table)}[{index}]"
    is_long = stored[-2] > given[-2]
    facts = {
        "name": module.text(table),
        "detail": str(given[-2]),
        "argument": str(stored[-2]),
        "condition": rows,
    }
    is_named = path_of(entry) is not None
    return LongTable(
        None,
        facts,
        "table" if is_long else "short_table",
        context=context,
        table=table,
        rows=rows if is_long and is_named else "",
    )


def _is_table(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an operand is a parameter of a model."""
    while isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
        node = node.value
    if isinstance(node, ast.Subscript):
        if node.slice.value in (..., None):  # type: ignore[attr-defined]
            return _is_table(frame, node.value)
        holder = node.value.id if isinstance(node.value, ast.Name) else ""
        is_given = holder in set(parameter_names(frame.function))
        return is_given and isinstance(node.slice.value, str)  # type: ignore[attr-defined]
    if isinstance(node, ast.Attribute):
        inner = node.value if node.attr == "value" else node
        fact = frame.fact(inner)
        return fact is not None and any(base.startswith("flax.nnx.") for base in fact.bases)
    made = bound_value(frame.module, node)
    path = frame.module.dotted(made.func) if isinstance(made, ast.Call) else ""
    return method_of(made) in ("param", "variable") or path == "haiku.get_parameter"


def take_rows(found: LongTable) -> Drafts:
    """Take as many rows of the table as the input has."""
    if found.rows:
        yield Draft(found.module).certain().replace(found.table, found.rows)
