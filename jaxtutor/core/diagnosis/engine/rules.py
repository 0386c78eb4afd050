"""Defines a rule: what a cause is recognised by, and what may fix it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import singledispatch, wraps
from typing import Any, Generic, TypeVar

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.editing.draft import Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import (
    AtFrame,
    Finding,
    Match,
    ObservedLocation,
    at_frame,
)
from jaxtutor.core.diagnosis.engine.source import Module

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

    pairs: tuple[tuple[type[Observation], Callable[[ObservedLocation[Any]], AnyMatch | None]], ...]

    def match(self, spot: ObservedLocation[Observation]) -> AnyMatch | None:
        """Return the first match of the functions that are asked of what was observed."""
        matches = (recognise(spot) for kind, recognise in self.pairs if type(spot.seen) is kind)
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


class Foreseen(Read[AnyMatch], Generic[AnyMatch], frozen=True):
    """Recognises in the source what will raise when it runs."""


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
    *pairs: tuple[type[Observation], Callable[[ObservedLocation[Any]], AnyMatch | None]],
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


def foreseen(read_file: Callable[[Module], Iterable[AnyMatch]]) -> Foreseen[AnyMatch]:
    """Recognise what will raise, by a function that reads a file."""
    return Foreseen((read_file,))


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

    `before` names causes that this one has to be asked before. `is_echo` says of a finding whether
    another finding of the same run, given with its cause, explains it: then it is left out. A rule
    that `needs_source` is not asked of excerpts: there it would also match what narrower ones name.
    """

    slug: str
    recognise: Raised[AnyMatch] | Observed[AnyMatch] | Read[AnyMatch]
    fix: Callable[[AnyMatch], Drafts] | None = None
    before: tuple[str, ...] = ()
    is_echo: Callable[[AnyMatch, Sequence[tuple[str, Finding]]], bool] | None = None
    needs_source: bool = False

    @property
    def kind(self) -> str:
        """What the rule is asked of: raised, observed, read, stopped or foreseen."""
        return type(self.recognise).__name__.lower()

    def find(self, context: FailureContext) -> Match | None:
        """Return the match of a failure whose class and message the page of the cause allows."""
        how = self.recognise
        if not isinstance(how, Raised):
            return None
        return how.match(context) if how.match is not None else at_frame(context)


def by_match(*fixes: Callable[[Any], Drafts]) -> Callable[[Match], Drafts]:
    """Return a fix that asks the one of some fixes whose parameter has the type of the match.

    A match that none of them takes has no edit.
    """

    @singledispatch
    def fix(_: Match) -> Drafts:
        return iter(())

    for one in fixes:
        fix.register(one)
    return fix


class Diagnosed(Struct, frozen=True):
    """A diagnosis, with the rule and the match that it was made from, if a rule matched."""

    diagnosis: Diagnosis
    rule: Rule[Any] | None = None
    match: Match | None = None
