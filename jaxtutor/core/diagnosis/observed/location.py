"""Finds the syntax node that an observation was made at, and its surroundings."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.matches import ObservedLocation
from jaxtutor.core.diagnosis.engine.source import Module

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def outermost_loop(spot: ObservedLocation[Observation]) -> ast.AST | None:
    """Find the outermost Python loop around a spot, within its function."""
    return loop_in_function(spot.module, spot.node)


def loop_in_function(module: Module, node: ast.AST | None) -> ast.AST | None:
    """Find the outermost Python loop around a node, within its function."""
    found = None
    for outer in module.ancestors(node) if node is not None else ():
        if isinstance(outer, _LOOPS + _COMPREHENSIONS):
            found = outer
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            break
    return found
