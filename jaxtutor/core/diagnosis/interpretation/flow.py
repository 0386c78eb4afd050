"""Follows the names of a function through its statements: branches, loops, early ends.

Abstract interpretation (Cousot and Cousot, POPL 1977): what is known of each name stands in the
place of its value, and where paths meet, what holds on each of them is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Generic, TypeVar

from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.values import elements

Known = TypeVar("Known")

_CATCHING = frozenset({"ensure_compile_time_eval", "disable_jit", "raises", "suppress"})
"""Managers in which values are known while JAX traces, or exceptions are expected."""
TWICE = 4
"""So many loops, one in another, are read twice each; what is nested deeper is read once."""


class Flow(ast.NodeVisitor, Generic[Known]):
    """Goes through statements in the order in which they run, each loop as in its first two rounds.

    `known` has what is known of names at the present statement. `has_left` is true behind a
    `return` and its like, and `exits` has what was known wherever the round of a loop was left. In
    what `is_guarded`, an exception would be caught. A subclass says what expressions do: visiting
    one returns what is known of its value.
    """

    def __init__(self, module: Module, known: dict[str, Known]) -> None:
        self.module = module
        self.known = known
        self.has_left = False
        self.is_guarded = False
        self.exits: list[dict[str, Known]] = []
        self._loops = 0

    def join(self, one: Known | None, other: Known | None) -> Known | None:
        """Return what is known of a value that is one or the other; None for nothing."""
        return one if one == other else None

    def value(self, node: ast.AST | None) -> Known | None:
        """Read an expression, and return what is known of its value."""
        return self.visit(node) if node is not None else None

    def item(self, iterated: ast.expr) -> Known | None:
        """Return what is known of each item that a loop goes through."""
        return self.value(iterated)

    def test(self, condition: ast.expr, _at: ast.AST) -> None:
        """Read a condition, and what tests it."""
        self.visit(condition)

    def returns(self, _value: Known | None) -> None:
        """Take note of what the function returns."""

    # ------------------------------------------------------------ blocks

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements up to the first that leaves the block."""
        for statement in statements:
            self.visit(statement)
            if self.has_left:
                break

    def branch(self, statements: Iterable[ast.stmt]) -> dict[str, Known] | None:
        """Return what is known behind a block, None if it is left; change nothing here."""
        before, self.known = self.known, dict(self.known)
        self.block(statements)
        after = None if self.has_left else self.known
        self.known, self.has_left = before, False
        return after

    def meet(self, ends: Sequence[dict[str, Known] | None]) -> None:
        """Go on behind some blocks of which one ran."""
        reached = [end for end in ends if end is not None]
        self.has_left = not reached
        if reached:
            self.known = reduce(self._joined, reached)

    def _joined(self, one: dict[str, Known], other: dict[str, Known]) -> dict[str, Known]:
        both = ((name, self.join(known, other.get(name))) for name, known in one.items())
        return {name: known for name, known in both if known is not None}

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Read what may raise, and is prepared for it."""
        before, self.is_guarded = self.is_guarded, True
        yield
        self.is_guarded = before

    # ------------------------------------------------------------ statements

    def visit_If(self, node: ast.If) -> None:
        """Read both branches."""
        self.test(node.test, node)
        self.meet([self.branch(node.body), self.branch(node.orelse)])

    def visit_While(self, node: ast.While) -> None:
        """Read the first two rounds."""
        self._loop(node, None)

    def visit_For(self, node: ast.For) -> None:
        """Read the first two rounds."""
        self._loop(node, self.item(node.iter))

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        """Read the first two rounds."""
        self._loop(node, self.item(node.iter))

    @contextmanager
    def rounds(self) -> Iterator[range]:
        """Give the rounds of a loop to read: two, unless it is nested deep in other loops."""
        self._loops += 1
        yield range(2 if self._loops <= TWICE else 1)
        self._loops -= 1

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, item: Known | None) -> None:
        outside, self.exits = self.exits, []
        ends: list[dict[str, Known] | None] = []
        with self.rounds() as rounds:
            for _ in rounds:
                if isinstance(node, ast.While):
                    self.test(node.test, node)
                else:
                    self.bind(node.target, item)
                ends.append(dict(self.known))
                after = self.branch(node.body)
                if after is None:
                    break
                self.known = after
                ends.append(after)
        ends += self.exits
        self.exits = outside
        self.meet(ends)
        self.meet([self.known, self.branch(node.orelse)])

    def visit_Try(self, node: ast.Try) -> None:
        """Read the body and its handlers; a handler begins anywhere in the body."""
        if not node.handlers:
            self.block([*node.body, *node.orelse])
        else:
            with self.guarded():
                body = self.branch([*node.body, *node.orelse])
                handlers = [self.branch(handler.body) for handler in node.handlers]
            self.meet([body, *({} for end in handlers if end is not None)])
        if not self.has_left:
            self.block(node.finalbody)

    def visit_With(self, node: ast.With) -> None:
        """Read the body."""
        names = {last_name(getattr(item.context_expr, "func", None)) for item in node.items}
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, None)
        if names & _CATCHING:
            with self.guarded():
                self.block(node.body)
            self.known, self.has_left = {}, False
        else:
            self.block(node.body)

    def visit_Match(self, node: ast.Match) -> None:
        """Read each case."""
        self.visit(node.subject)
        self.meet([self.known, *(self.branch(case.body) for case in node.cases)])

    def visit_Return(self, node: ast.Return) -> None:
        """Leave the function."""
        self.returns(self.value(node.value))
        self.has_left = True

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave the function."""
        self.generic_visit(node)
        self.has_left = True

    def visit_Break(self, _node: ast.Break) -> None:
        """Leave the round of a loop."""
        self.exits.append(self.known)
        self.has_left = True

    def visit_Continue(self, _node: ast.Continue) -> None:
        """Leave the round of a loop."""
        self.exits.append(self.known)
        self.has_left = True

    # ------------------------------------------------------------ names

    def visit_Assign(self, node: ast.Assign) -> None:
        """Learn of names what is known of a value."""
        is_tuple = isinstance(node.value, ast.Tuple)
        parts = [self.value(part) for part in elements(node.value)] if is_tuple else []
        known = self.value(node.value) if not is_tuple else None
        for target in node.targets:
            self.bind(target, known, parts)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Learn of a name what is known of a value."""
        self.bind(node.target, self.value(node.value))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Known | None:
        """Learn of a name what is known of a value."""
        known = self.value(node.value)
        self.bind(node.target, known)
        return known

    def visit_Delete(self, node: ast.Delete) -> None:
        """Forget names."""
        for target in node.targets:
            self.bind(target, None)

    def visit_Import(self, node: ast.Import) -> None:
        """Forget the names of what is imported."""
        for item in node.names:
            self.learn(item.asname or item.name.partition(".")[0], None)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Forget the names of what is imported."""
        for item in node.names:
            self.learn(item.asname or item.name, None)

    def learn(self, name: str, known: Known | None) -> None:
        """Keep what is known of a name from now on, or forget it."""
        self.known.pop(name, None)
        if known is not None:
            self.known[name] = known

    def part(self, known: Known | None) -> Known | None:
        """Return what is known of each part of a value that is taken apart."""
        return known

    def bind(
        self, target: ast.expr, known: Known | None, parts: Sequence[Known | None] = ()
    ) -> None:
        """Learn of the names in a target what is known of a value, or of the parts of a tuple."""
        match target:
            case ast.Name(id=name):
                self.learn(name, known)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                each = parts if len(parts) == len(targets) else [self.part(known)] * len(targets)
                for inner, of_inner in zip(targets, each, strict=True):
                    self.bind(inner, of_inner)
            case ast.Starred(value=inner):
                self.bind(inner, None)
            case ast.Subscript(value=container, slice=index):
                self.store(container, index, target)

    def store(self, container: ast.expr, index: ast.expr, _target: ast.Subscript) -> None:
        """Read an element that gets a value."""
        self.visit(container)
        self.visit(index)
