"""Matches carries whose dtype or shape changes between two rounds of a loop."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.loops import (
    INIT_POSITIONS,
    LOOPS,
    InLoop,
    in_loop,
    place_of_result,
)
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.named_parts import NamedPart, named_parts
from jaxtutor.core.diagnosis.engine.source import Location
from jaxtutor.core.diagnosis.reading.calls import argument, called_identifier, calls_in
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.shapes import axis_sizes
from jaxtutor.core.diagnosis.reading.values import is_python_scalars

_REASON = re.compile(r"so the ([\w ]+?) do(?:es)? not match")
_GROWING = frozenset(
    {"concatenate", "append", "stack", "vstack", "hstack", "reshape", "ravel", "expand_dims"}
    | {"insert", "delete", "pad", "tile", "repeat", "squeeze", "flatten", "column_stack"}
)


class CarryMismatch(InLoop, frozen=True, kw_only=True):
    """A carry whose type changes between two rounds of a loop.

    `init` is the initial carry, `made` the expression that a name in its place stands for, and
    `changes` are the parts that change.
    """

    init: ast.expr | None
    made: ast.expr | None
    changes: tuple[NamedPart, ...]

    @property
    def before(self) -> str:
        """The type of the first part that changes, in the initial carry."""
        return self.changes[0].said

    @property
    def after(self) -> str:
        """The type of the first part that changes, in what the body returns."""
        return self.changes[0].other


def weak_carry(context: FailureContext) -> CarryMismatch | None:
    """Python scalars in the initial carry are promoted until scan raises."""
    found = carry_mismatch(context)
    place = _init_place(found) if found is not None else None
    if found is None or found.made is None or place is None:
        return None
    leaf, _ = leaf_at(found.made, found.changes[0].keys)
    is_weak = is_python_scalars(leaf)
    return replace(found, place=place, facts={"name": found.facts["name"]}) if is_weak else None


def dtype_change(context: FailureContext) -> CarryMismatch | None:
    """A leaf of the carry comes out of the body with another dtype."""
    found = carry_mismatch(context)
    first = _REASON.search(context.message)  # of several leaves, the first is diagnosed
    # Where the initial carry is a parameter, its dtype is the caller's: the body has to keep it.
    if found is None or (first is not None and "shape" in first[1]):
        return None
    place = _init_place(found) or place_of_result(found)
    facts = {**found.facts, "detail": found.after}
    form = "integer" if found.before.startswith(("int", "uint")) else "other"
    return replace(found, place=place, facts=facts, form=form)


def fori_shape_change(context: FailureContext) -> CarryMismatch | None:
    """The state of a fori_loop or while_loop changes its shape."""
    found = carry_mismatch(context)
    if found is None or found.loop is None or found.loop.kind == "scan":
        return None
    place = _growing(found) or _init_place(found) or place_of_result(found)
    return replace(found, place=place, facts={"aval": found.before})


def scan_shape_change(context: FailureContext) -> CarryMismatch | None:
    """The carry of a scan grows or is reshaped in the body."""
    found = carry_mismatch(context)
    if found is None or (found.loop is not None and found.loop.kind != "scan"):
        return None
    place = _growing(found) or place_of_result(found)
    facts = {**found.facts, "detail": found.after}
    return replace(found, place=place, facts=facts, form=_form_of_change(found))


def carry_mismatch(context: FailureContext) -> CarryMismatch | None:
    """Return the carry that a message compares, with the loop and the parts that change."""
    changes = tuple(part for part in named_parts(context.message) if part.role == "carried")
    found = in_loop(context, *LOOPS) if changes else None
    if found is None:
        return None
    loop, init = found.loop, None
    if loop is not None and loop.call is not None and loop.kind in INIT_POSITIONS:
        init = argument(loop.call, INIT_POSITIONS[loop.kind], "init", "init_val")
    return CarryMismatch(
        None,
        {"name": changes[0].path, "aval": changes[0].said},
        context=context,
        loop=loop,
        function=found.function,
        init=init,
        made=bound_value(loop.module, init) if loop is not None and init is not None else None,
        changes=changes,
    )


def _init_place(found: CarryMismatch) -> Location | None:
    """Return where the initial carry is made: the statement that binds it, or the expression."""
    if found.loop is None or found.init is None or found.made is None:
        return None
    module = found.loop.module
    if not isinstance(found.init, ast.Name):
        return module.location(found.init)
    bound = [
        s
        for s in module.assignments(found.init.id, module.scope(found.init))
        if isinstance(s, ast.Assign) and s.lineno < found.init.lineno
    ]
    return module.location(bound[-1]) if bound else None


def leaf_at(value: ast.expr, path: tuple[str, ...]) -> tuple[ast.expr, tuple[str, ...]]:
    """Follow a path into a value that is written out; return how far it goes, and what is left."""
    for position, key in enumerate(path):
        if isinstance(value, ast.Tuple | ast.List) and key.isdigit() and int(key) < len(value.elts):
            value = value.elts[int(key)]
        elif isinstance(value, ast.Dict) and (part := _value_of(value, key)) is not None:
            value = part
        else:
            return value, path[position:]
    return value, ()


def _value_of(table: ast.Dict, key: str) -> ast.expr | None:
    keys = [k.value if isinstance(k, ast.Constant) else None for k in table.keys]
    return table.values[keys.index(key)] if key in keys else None


def _form_of_change(found: CarryMismatch) -> str:
    """Say whether a number became an array, or an array got an axis of size 1 or lost axes."""
    before, after = axis_sizes(found.before), axis_sizes(found.after)
    if after in (["1", *before], [*before, "1"]):
        return "axis"
    if len(after) < len(before):
        return "fewer"
    return "number" if after and not before else ""


def _growing(found: InLoop) -> Location | None:
    """Find the one statement of the body that changes a shape."""
    if found.loop is None or found.function is None:
        return None
    module, function = found.loop.module, found.function
    calls = [n for n in calls_in(function) if called_identifier(n) in _GROWING]
    statements = {module.statement(c) for c in calls}
    statement = statements.pop() if len(statements) == 1 else None
    if not calls or statement is None:
        return None
    return module.location(calls[0] if isinstance(function, ast.Lambda) else statement)
