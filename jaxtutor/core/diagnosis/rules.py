"""Defines what a cause is recognised by, and what its matcher hands to its fix."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.core.diagnosis.source import Location, Module


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
    """A cause in the innermost of the learner's frames."""

    frame: FrameContext

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
    """A cause in a call of the innermost frame; `path` is its dotted path, if known."""

    node: ast.Call
    path: str = ""


class Finding(Match, frozen=True, kw_only=True):
    """A cause that raised nothing, at the node that its diagnosis points at."""

    modules: Mapping[str, Module]
    module: Module
    node: ast.AST


def at_frame(
    context: FailureContext, facts: dict[str, str] | None = None, place: Location | None = None
) -> AtFrame | None:
    """Return a match at the innermost frame; None if no frame is the learner's."""
    if context.frame is None:
        return None
    return AtFrame(place, facts or {}, context=context, frame=context.frame)


def at_node(context: FailureContext, facts: dict[str, str] | None = None) -> AtNode | None:
    """Return a match at the node that was being evaluated, if there is one."""
    frame = context.frame
    if frame is None or frame.node is None:
        return None
    return AtNode(None, facts or {}, context=context, frame=frame, node=frame.node)


def at_call(context: FailureContext, facts: dict[str, str] | None = None) -> AtCall | None:
    """Return a match at the call that was being evaluated, if a call was."""
    frame = context.frame
    if frame is None or not isinstance(frame.node, ast.Call):
        return None
    path = frame.dotted(frame.node.func) or ""
    return AtCall(None, facts or {}, context=context, frame=frame, node=frame.node, path=path)


# ---------------------------------------------------------------- rules

Drafts = Iterable[Draft | None]
AnyMatch = TypeVar("AnyMatch", bound=Match)


class Rule(Struct, frozen=True):
    """How one cause is recognised in a failure, and what may fix it.

    Without `match`, the class and message that the cause's page names decide alone.
    """

    slug: str
    match: Callable[[FailureContext], Match | None] | None
    fix: Callable[..., Drafts] | None
    of_any_class: bool

    def find(self, context: FailureContext, causes: Mapping[str, Cause]) -> Match | None:
        """Return the match of this cause, if the failure is one that its page allows."""
        cause = causes.get(self.slug)
        if cause is None or not (self.of_any_class or context.is_a(cause.raises)):
            return None
        if cause.message and re.search(cause.message, context.message) is None:
            return None
        return self.locate(context)

    def locate(self, context: FailureContext) -> Match | None:
        """Return the match of this cause without looking at the failure's class and message."""
        return self.match(context) if self.match is not None else at_frame(context)


def rule(
    slug: str,
    match: Callable[[FailureContext], AnyMatch | None],
    fix: Callable[[AnyMatch], Drafts] | None = None,
    *,
    of_any_class: bool = False,
) -> Rule:
    """Return the rule of a cause that a function recognises; its fix takes what that returns."""
    return Rule(slug, match, fix, of_any_class)


def message_rule(slug: str, fix: Callable[[AtFrame], Drafts] | None = None) -> Rule:
    """Return the rule of a cause that the class and message on its page decide alone."""
    return Rule(slug, None, fix, of_any_class=False)


class FindingFix(Struct, frozen=True):
    """What may fix a cause that was found without an exception."""

    slug: str
    fix: Callable[[Finding], Drafts]
