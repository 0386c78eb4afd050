"""Names what the grid of a Pallas kernel leaves unwritten, or writes in vain."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import Overwritten, Unwritten
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import calls_to
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites


def unwritten(spot: ObservedLocation[Unwritten]) -> Finding | None:
    """Elements of an output that no step writes, where the program may read them."""
    seen = spot.seen
    if seen.name:
        return finding(spot.module, _index_map(spot) or spot.at, spot.facts, "outside")
    found = spot.found(form="part" if seen.is_partly else "")
    return replace(found, is_certain=not _may_be_left_out(spot.module))


def _index_map(spot: ObservedLocation[Unwritten]) -> ast.AST | None:
    """Return the index map of a block, if it is the only function in its line."""
    line = spot.frame.span.line
    maps = [f for f in spot.module.functions if f.lineno == line]
    return maps[0] if len(maps) == 1 and isinstance(maps[0], ast.Lambda) else None


def _may_be_left_out(module: Module) -> bool:
    """Return whether a file takes a part of what a kernel returns, or chooses from it."""
    for call in calls_to(module, "pallas_call"):
        outer = module.parents.get(call)
        result = outer if isinstance(outer, ast.Call) and outer.func is call else call
        if _is_cut(module, result):
            return True
        statement = module.statement(result)
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Name):
                reads = load_sites(module.scope(target), target.id)
                if any(_is_cut(module, read) for read in reads):
                    return True
    return False


def _is_cut(module: Module, value: ast.expr) -> bool:
    """Return whether a value is indexed, or is one of those that a function chooses from."""
    outer = module.parents.get(value)
    if isinstance(outer, ast.Subscript) and outer.value is value:
        return True
    called = last_part(module.dotted(outer.func)) if isinstance(outer, ast.Call) else ""
    return called in ("where", "select", "dynamic_slice", "dynamic_slice_in_dim", "nan_to_num")


def overwritten(spot: ObservedLocation[Overwritten]) -> Finding:
    """A whole block that a kernel writes in several steps, so that only the last remains."""
    return spot.found()


RULES = (
    Rule("pallas-block-unwritten", observed((Unwritten, unwritten))),
    Rule("pallas-block-overwritten", observed((Overwritten, overwritten))),
)
