"""Finds the syntax node that an observation was made at, and its surroundings."""

from __future__ import annotations

import ast

from jaxtutor.core.data.diagnoses import Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.source import Location, Module

Found = tuple[str, Location, dict[str, str]]
"""A cause, its place, and the facts that fill the braces of its page."""


class ObservedLocation:
    """The node at an observation's place, with its surroundings."""

    def __init__(self, seen: Observation, module: Module, frame: Frame) -> None:
        self.module = module
        self.frame = frame
        self.seen = seen.facts
        self.facts = dict(seen.facts)
        if not frame.function.startswith("<"):
            self.facts.setdefault("function", frame.function)
        node = module.node_at(frame.span)
        self.node = node.value if isinstance(node, ast.Expr) else node

    @property
    def function(self) -> ast.AST:
        """The function around the node, or the file."""
        node = self.node
        return self.module.scope(node) if node is not None else self.module.tree

    def place(self, node: ast.AST | None = None) -> Location:
        """Return the place of a node; of the spot itself unless given."""
        return self.module.location(node or self.node or self.frame.span)

    def called(self) -> str:
        """Name the function or method that the node calls."""
        if not isinstance(self.node, ast.Call):
            return ""
        func = self.node.func
        return self.module.dotted(func) or (func.attr if isinstance(func, ast.Attribute) else "")


_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def outermost_loop(spot: ObservedLocation) -> ast.AST | None:
    """Find the outermost Python loop around a spot, within its function."""
    found = None
    for outer in spot.module.ancestors(spot.node) if spot.node is not None else ():
        if isinstance(outer, _LOOPS + _COMPREHENSIONS):
            found = outer
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            break
    return found
