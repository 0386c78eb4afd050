"""Says which names of a scope are read after each of its statements.

The analysis of live variables (Kildall, POPL 1973), on the syntax tree: from the last statement to
the first, a name is live before what reads it, and not live before what binds it again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from jaxtutor.core.diagnosis.engine.scopes import Names, outer_names
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes

_NONE: Names = frozenset()
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
ALL_NAMES = frozenset(("locals", "vars", "globals", "eval", "exec", "dir"))
"""Functions that may read any name."""
DEEPEST = 4
"""So many loops, one in another, are followed; what is nested deeper reads all names in it."""


class LiveNames:
    """The names that are live after each statement of a function or a file.

    A name that a nested function reads is `captured`: it may be read at any time.
    """

    def __init__(self, scope: ast.AST, body: list[ast.stmt]) -> None:
        self.after: dict[ast.stmt, Names] = {}
        self.captured = frozenset(_captured(scope))
        self.is_known = not any(
            isinstance(n, ast.Name) and n.id in ALL_NAMES for n in ast.walk(scope)
        )
        self._caught = _NONE
        self._break, self._continue = _NONE, _NONE
        self._depth = 0
        self._block(body, _NONE)

    def is_dead(self, statement: ast.stmt, name: str) -> bool:
        """Return whether the value that a statement gives a name is surely never read."""
        is_live = name in self.captured or name in self.after.get(statement, (name,))
        return self.is_known and not is_live

    # ------------------------------------------------------------ blocks

    def _block(self, statements: Iterable[ast.stmt], live: Names) -> Names:
        """Return what is live before some statements, given what is live after them."""
        for statement in reversed(list(statements)):
            live |= self._caught
            self.after[statement] = self.after.get(statement, _NONE) | live
            live = self._before(statement, live)
        return live

    def _before(self, statement: ast.stmt, live: Names) -> Names:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                return self._block(body, live) | self._block(orelse, live) | outer_names(test)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._before_loop(statement, live)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                with self._catching(live):  # the manager may suppress an exception
                    inside = self._block(body, live) | live
                return (inside - _names_bound_by(statement)).union(*map(outer_names, items))
            case ast.Try() | ast.TryStar():
                return self._try(statement, live)
            case ast.Match(subject=subject, cases=cases):
                ends = [self._block(case.body, live) for case in cases]
                return live.union(outer_names(subject), *ends, *map(outer_names, cases))
            case ast.Return() | ast.Raise():
                return self._caught | outer_names(statement)
            case ast.Break():
                return self._break
            case ast.Continue():
                return self._continue
            case ast.Delete(targets=targets):
                return live.union(_deleted(targets))
            case ast.AugAssign(target=ast.Name(id=name)):
                return live | outer_names(statement) | {name}
        return (live - _names_bound_by(statement)) | outer_names(statement)

    def _before_loop(self, loop: ast.For | ast.AsyncFor | ast.While, live: Names) -> Names:
        """Read a loop twice: what a round reads may be bound by the round before."""
        if self._depth >= DEEPEST:
            self.after |= {n: self._everything(loop) for n in _statements(loop)}
            return live | self._everything(loop)
        first = self._block(loop.orelse, live)
        outside = self._break, self._continue
        head = first | (outer_names(loop.test) if isinstance(loop, ast.While) else _NONE)
        self._depth += 1
        for _ in range(2):
            self._break, self._continue = live, head
            head |= self._block(loop.body, head) - _names_bound_by(loop)
        self._depth -= 1
        self._break, self._continue = outside
        return head | (outer_names(loop.iter) if not isinstance(loop, ast.While) else _NONE)

    def _everything(self, loop: ast.stmt) -> Names:
        return frozenset(n.id for n in ast.walk(loop) if isinstance(n, ast.Name))

    def _try(self, node: ast.Try | ast.TryStar, live: Names) -> Names:
        """Read a body that may be left for its handlers at any statement."""
        last = self._block(node.finalbody, live)
        handlers = last.union(*(self._block(handler.body, last) for handler in node.handlers))
        handlers = handlers.union(
            *(outer_names(h.type) for h in node.handlers if h.type is not None)
        )
        with self._catching(handlers):
            return self._block([*node.body, *node.orelse], last) | handlers

    @contextmanager
    def _catching(self, live: Names) -> Iterator[None]:
        """Keep names live in a block that an exception may leave."""
        before, self._caught = self._caught, self._caught | live
        yield
        self._caught = before


def liveness(module: Module, scope: ast.AST) -> LiveNames:
    """Return the live names of a function or a file, which are read once."""
    known = module.once(_by_scope)
    if scope not in known:
        known[scope] = LiveNames(scope, list(getattr(scope, "body", ())))
    return known[scope]


def _by_scope(_module: Module) -> dict[ast.AST, LiveNames]:
    return {}


def _names_bound_by(statement: ast.AST) -> set[str]:
    is_value_absent = isinstance(statement, ast.AnnAssign) and statement.value is None
    return set() if is_value_absent else bound_names(statement)


def _deleted(targets: Iterable[ast.expr]) -> set[str]:
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt))


def _captured(scope: ast.AST) -> Iterator[str]:
    """Yield the names that nested functions read, and those of an outer scope."""
    for node in own_nodes(scope):
        if isinstance(node, _SCOPES):
            yield from outer_names(node)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
