"""Owns the place of a mistake as a fixer sees it: the diagnosis laid over the source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cached_property

from jaxtutor.core.data.model import Diagnosis, Failure
from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.rewriting.static_arguments import make_static
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, read_module


class FixSite:
    """A diagnosis with the learner's parsed files at hand; without a failure for a finding."""

    def __init__(
        self, diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]
    ) -> None:
        self.diagnosis = diagnosis
        self.failure = failure
        self.context = FailureContext(failure, sources) if failure is not None else None
        self.modules = self.context.modules if self.context is not None else _read(sources)

    @property
    def module(self) -> Module | None:
        """The file that the diagnosis points into."""
        return self.modules.get(self.diagnosis.file)

    @cached_property
    def node(self) -> ast.AST | None:
        """The node that the diagnosis points at; the statement there if no node fits exactly."""
        module, span = self.module, self.diagnosis.span
        if module is None or span is None:
            return None
        node = module.node_at(span)
        if isinstance(node, ast.expr) and isinstance(module.parents.get(node), ast.Expr):
            return node
        return node or module.statement_on(span.line)

    @property
    def frame(self) -> FrameContext | None:
        """The frame in which the failure was raised."""
        return self.context.frame if self.context is not None else None

    @property
    def at(self) -> ast.AST | None:
        """The node that was being evaluated when the failure was raised."""
        return self.context.node if self.context is not None else None

    @property
    def message(self) -> str:
        """What the exception said."""
        return self.failure.message if self.failure is not None else ""

    def call(self) -> tuple[FrameContext, ast.Call] | None:
        """Give the call that raised, and its frame."""
        frame, node = self.frame, self.at
        return (frame, node) if frame is not None and isinstance(node, ast.Call) else None


Fixer = Callable[[FixSite], Drafts]


def _read(sources: Mapping[str, str]) -> dict[str, Module]:
    read = ((file, read_module(file, text)) for file, text in sources.items())
    return {file: module for file, module in read if module is not None}


def static_argument(site: FixSite) -> Drafts:
    """Make static."""
    if site.context is not None:
        yield make_static(site.context)
