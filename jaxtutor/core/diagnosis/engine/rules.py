"""Defines what a cause is recognised by, and what its matcher hands to its fix."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Generic, TypeVar

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis, Observation
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.pages import Cause
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
    """A cause that raised nothing, at the node that its diagnosis points at.

    `modules` are all files that were read, by their names.
    """

    module: Module
    node: ast.AST
    modules: Mapping[str, Module] = {}


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
    node = module.node_at(place.span) or module.statement_on(place.span.line) or module.tree
    return Finding(place, facts, form, module=module, node=node)


class ObservedLocation:
    """The node at an observation's place, with its surroundings.

    `modules` are all files that were read, and `run` is all that was observed.
    """

    def __init__(
        self,
        seen: Observation,
        module: Module,
        frame: Frame,
        modules: Mapping[str, Module],
        run: Sequence[Observation],
    ) -> None:
        self.observation = seen
        self.module = module
        self.frame = frame
        self.modules = modules
        self.run = run
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


class Raised(Struct, Generic[AnyMatch], frozen=True):
    """Recognises a cause in an exception.

    Without `match`, the class and message that the cause's page names decide alone. A rule
    `of_any_class` is asked of every exception, whatever classes the page names.
    """

    match: Callable[[FailureContext], AnyMatch | None] | None = None
    of_any_class: bool = False


class Observed(Struct, Generic[AnyMatch], frozen=True):
    """Recognises a cause in what was observed while a program ran.

    Each pair has a kind of observation and the function that is asked of it.
    """

    pairs: tuple[tuple[str, Callable[[ObservedLocation], AnyMatch | None]], ...]

    def match(self, kind: str, spot: ObservedLocation) -> AnyMatch | None:
        """Return the first match of the functions that are asked of a kind."""
        matches = (recognise(spot) for asked, recognise in self.pairs if asked == kind)
        return next((match for match in matches if match is not None), None)


class Read(Struct, Generic[AnyMatch], frozen=True):
    """Recognises a cause in the source: of each file, or of all files together.

    Of the files, those that import a package of `imports` are read; all if it is empty.
    """

    of_file: tuple[Callable[[Module], Iterable[AnyMatch]], ...]
    of_all: tuple[Callable[[Mapping[str, Module]], Iterable[AnyMatch]], ...] = ()
    imports: tuple[str, ...] = ()

    def matches(self, modules: Mapping[str, Module]) -> Iterator[AnyMatch]:
        """Yield what is found in the files of a program."""
        for read_all in self.of_all:
            yield from read_all(modules)
        for module in modules.values():
            if not self.imports or _packages(module).intersection(self.imports):
                for read_file in self.of_file:
                    yield from read_file(module)


class Stopped(Read[AnyMatch], Generic[AnyMatch], frozen=True):
    """Recognises in the source why a program that was stopped had not ended."""


def _packages(module: Module) -> set[str]:
    return {path.partition(".")[0] for path in module.imports.values()}


TRAINING = ("jax", "flax", "optax", "equinox", "haiku", "numpyro")
"""The packages of which a file that trains imports one."""


def raised(
    match: Callable[[FailureContext], AnyMatch | None], *, of_any_class: bool = False
) -> Raised[AnyMatch]:
    """Recognise a cause by a function that is asked of every exception its page allows."""
    return Raised(match, of_any_class)


def by_message() -> Raised[AtFrame]:
    """Recognise a cause by the class and the message that its page names."""
    return Raised()


def observed(
    *pairs: tuple[str, Callable[[ObservedLocation], AnyMatch | None]],
) -> Observed[AnyMatch]:
    """Recognise a cause by functions that are asked of observations of some kinds."""
    return Observed(pairs)


def read(
    *of_file: Callable[[Module], Iterable[AnyMatch]],
    of_all: Callable[[Mapping[str, Module]], Iterable[AnyMatch]] | None = None,
    imports: tuple[str, ...] = (),
) -> Read[AnyMatch]:
    """Recognise a cause by functions that read a file, or all files of a program."""
    return Read(of_file, (of_all,) if of_all is not None else (), imports)


def stopped(read_file: Callable[[Module], Iterable[AnyMatch]]) -> Stopped[AnyMatch]:
    """Recognise why a program that was stopped had not ended, by a function that reads a file."""
    return Stopped((read_file,))


AnyNode = TypeVar("AnyNode", bound=ast.AST)


def at_each(
    kind: type[AnyNode], find: Callable[[Module, AnyNode], Iterable[AnyMatch]]
) -> Callable[[Module], Iterator[AnyMatch]]:
    """Return a function that reads a file by asking another of each node of a kind."""

    @wraps(find)
    def read_nodes(module: Module) -> Iterator[AnyMatch]:
        for node in module.nodes:
            if isinstance(node, kind):
                yield from find(module, node)

    return read_nodes


class Rule(Struct, Generic[AnyMatch], frozen=True):
    """How one cause is recognised, and what may fix it: the fix gets the match.

    `before` names causes that this one has to be asked before.
    """

    slug: str
    recognise: Raised[AnyMatch] | Observed[AnyMatch] | Read[AnyMatch]
    fix: Callable[[AnyMatch], Drafts] | None = None
    before: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What the rule is asked of: raised, observed, read or stopped."""
        return type(self.recognise).__name__.lower()

    def find(self, context: FailureContext, causes: Mapping[str, Cause]) -> Match | None:
        """Return the match of a failure, if it is one that the page of the cause allows."""
        cause, how = causes.get(self.slug), self.recognise
        if cause is None or not isinstance(how, Raised):
            return None
        if not (how.of_any_class or context.is_a(cause.raises)):
            return None
        if cause.message and re.search(cause.message, context.message) is None:
            return None
        return how.match(context) if how.match is not None else at_frame(context)


class Diagnosed(Struct, frozen=True):
    """A diagnosis, with the rule and the match that it was made from, if a rule matched."""

    diagnosis: Diagnosis
    rule: Rule[Any] | None = None
    match: Match | None = None
