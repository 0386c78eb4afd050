"""Defines what a matcher hands to a fix: a match, with its place, its facts and its nodes."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Location, Module


class Match(Struct, frozen=True):
    """A cause that a matcher is sure of; without a `place` it is where the failure was raised.

    `facts` fill the braces of the cause's page, `form` names the sentences of it that fit, if not
    the general ones. Subclasses keep the nodes that the fix edits.
    """

    place: Location | None = None
    facts: dict[str, str] = {}
    form: str = ""


class InContext(Match, frozen=True, kw_only=True):
    """A cause that JAX raised on its own account: none of the frames need be the learner's."""

    context: FailureContext


class AtFrame(InContext, frozen=True, kw_only=True):
    """A cause in the innermost of the learner's frames, or in an outer one."""

    outer_frame: FrameContext | None = None

    @property
    def frame(self) -> FrameContext:
        """The frame that the cause is in."""
        frame = self.outer_frame or self.context.frame
        assert frame is not None
        return frame

    @property
    def module(self) -> Module:
        """The file of the frame."""
        return self.frame.module

    @property
    def at(self) -> ast.AST | None:
        """The node that was being evaluated; None where no node has exactly that span."""
        return self.frame.node

    @property
    def call(self) -> ast.Call | None:
        """The call that was being evaluated."""
        return self.at if isinstance(self.at, ast.Call) else None


class AtNode(AtFrame, frozen=True, kw_only=True):
    """A cause at a node of the innermost frame."""

    node: ast.AST


class AtCall(AtFrame, frozen=True, kw_only=True):
    """A cause in a call of the innermost frame."""

    node: ast.Call

    @property
    def path(self) -> str:
        """The dotted path of what is called, by what it was when the program failed."""
        return self.frame.callee(self.node) or ""


class Finding(Match, frozen=True, kw_only=True):
    """A cause at the node that its diagnosis points at, mostly one that raised nothing.

    `modules` are all files that were read, by their names. One that `is_certain` is a mistake, any
    other is worth a look. Subclasses keep the nodes that the fix edits, as those of the other
    matches do.
    """

    module: Module
    node: ast.AST
    modules: Mapping[str, Module] = {}
    is_certain: bool = True

    @property
    def location(self) -> Location:
        """The place that the diagnosis points at: the node, unless another is given."""
        return self.place or self.module.location(self.node)


class CallFinding(Finding, frozen=True, kw_only=True):
    """A cause that is found at a call."""

    node: ast.Call


class ExpressionFinding(Finding, frozen=True, kw_only=True):
    """A cause that is found at an expression."""

    node: ast.expr


def finding(
    module: Module,
    at: ast.AST | Span | Location,
    facts: Mapping[str, str] | None = None,
    form: str = "",
) -> Finding:
    """Return a finding at a node, or at a place that no node covers exactly."""
    facts = dict(facts or {})
    form = form or facts.pop("form", "")
    if isinstance(at, ast.AST):
        return Finding(module.location(at), facts, form, module=module, node=at)
    place = at if isinstance(at, Location) else module.location(at)
    return Finding(place, facts, form, module=module, node=_node_at(module, place.span))


def _node_at(module: Module, span: Span) -> ast.AST:
    """Return the node at a place; the statement or the file around it if no node has that place."""
    return module.node_at(span) or module.statement_on(span.line) or module.tree


Seen_co = TypeVar("Seen_co", bound=Observation, covariant=True)


class ObservedLocation(Generic[Seen_co]):
    """What was observed, and the node at its place, with its surroundings.

    `modules` are all files that were read, and `run` is all that was observed.
    """

    def __init__(
        self,
        seen: Seen_co,
        module: Module,
        frame: Frame,
        modules: Mapping[str, Module],
        run: Sequence[Observation],
    ) -> None:
        self.seen = seen
        self.module = module
        self.frame = frame
        self.modules = modules
        self.run = run
        self.facts = page_facts(seen)
        if not frame.function.startswith("<"):
            self.facts.setdefault("function", frame.function)
        node = module.node_at(frame.span)
        self.node = node.value if isinstance(node, ast.Expr) else node

    @property
    def at(self) -> ast.AST:
        """The node; the statement or the file around the place if no node has exactly that span."""
        return self.node or _node_at(self.module, self.frame.span)

    @property
    def function(self) -> ast.AST:
        """The function around the node, or the file."""
        node = self.node
        return self.module.scope(node) if node is not None else self.module.tree

    def place(self, node: ast.AST | None = None) -> Location:
        """Return the place of a node; of the spot itself unless given."""
        return self.module.location(node or self.node or self.frame.span)

    def found(
        self,
        node: ast.AST | Span | None = None,
        facts: Mapping[str, str] | None = None,
        form: str = "",
    ) -> Finding:
        """Return a finding at the place, or at another node, with the facts of the observation."""
        at = node or self.node or self.frame.span
        return finding(self.module, at, self.facts if facts is None else facts, form)

    @property
    def observed_function(self) -> FunctionNode | None:
        """The function that was observed, if the file has exactly one of its name and line."""
        return self.module.function_at(self.frame.function, self.frame.span.line)

    def called(self) -> str:
        """Name the function or method that the node calls."""
        if not isinstance(self.node, ast.Call):
            return ""
        func = self.node.func
        return self.module.dotted(func) or (func.attr if isinstance(func, ast.Attribute) else "")


def page_facts(seen: Observation) -> dict[str, str]:
    """Return the texts in an observation, which fill the braces of a page."""
    fields = ((name, getattr(seen, name)) for name in seen.__struct_fields__)
    return {name: value for name, value in fields if isinstance(value, str) and value}


def at_frame(
    context: FailureContext, facts: dict[str, str] | None = None, place: Location | None = None
) -> AtFrame | None:
    """Return a match at the innermost frame; None if no frame is the learner's."""
    if context.frame is None:
        return None
    return AtFrame(place, facts or {}, context=context)


def at_node(context: FailureContext, facts: dict[str, str] | None = None) -> AtNode | None:
    """Return a match at the node that was being evaluated, if there is one."""
    frame = context.frame
    if frame is None or frame.node is None:
        return None
    return AtNode(None, facts or {}, context=context, node=frame.node)


def at_call(context: FailureContext, facts: dict[str, str] | None = None) -> AtCall | None:
    """Return a match at the call that was being evaluated, if a call was."""
    frame = context.frame
    if frame is None or not isinstance(frame.node, ast.Call):
        return None
    return AtCall(None, facts or {}, context=context, node=frame.node)
