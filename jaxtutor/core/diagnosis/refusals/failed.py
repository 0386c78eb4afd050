"""Defines what was refused, and reads the expression that raised."""

from __future__ import annotations

import ast
from functools import cached_property

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext


class Refusal(Struct, frozen=True):
    """What was refused, as a sentence, and what to do."""

    says: str
    action: str


class FailedExpression:
    """The expression that raised, with the message of the exception."""

    def __init__(self, context: FailureContext, frame: FrameContext, node: ast.AST) -> None:
        self.context, self.frame, self.node = context, frame, node

    @cached_property
    def message(self) -> str:
        """The exception's own words."""
        return self.context.message

    def text(self, node: ast.AST) -> str:
        """Return the text of a node in one line."""
        return " ".join(self.frame.module.text(node).split())

    def kind(self, node: ast.AST) -> str:
        """Describe an array or number by its type; empty where that is not known."""
        fact = self.frame.fact(node)
        return fact.detail if fact is not None and fact.kind in ("tracer", "array") else ""

    def parent(self) -> ast.AST | None:
        """Return the expression or statement around the one that raised."""
        return next(iter(self.frame.module.ancestors(self.node)), None)
