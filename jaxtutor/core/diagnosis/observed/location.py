"""Finds the syntax node that an observation was made at, and its surroundings."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.matches import ObservedLocation

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def outermost_loop(spot: ObservedLocation[Observation]) -> ast.AST | None:
    """Find the outermost Python loop around a spot, within its function."""
    found = None
    for outer in spot.module.ancestors(spot.node) if spot.node is not None else ():
        if isinstance(outer, _LOOPS + _COMPREHENSIONS):
            found = outer
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            break
    return found
