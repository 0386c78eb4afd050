"""Finds the expression that made a None, back through names, parts of tuples and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.reading.calls import argument_for, called_name, method_owner
from jaxtutor.core.diagnosis.reading.functions import (
    block_of,
    called_function,
    parameter_names,
    returned,
)
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.values import is_none

FARTHEST = 10
"""Steps back. A None that comes from farther away is not explained by its origin."""

_RUNNERS = ("apply", "init", "init_with_output", "lazy_init", "jit", "vmap", "partial")
"""Methods and functions that pass their arguments on, after others of their own."""
_IN_PLACE = ("append", "extend", "insert", "sort", "reverse", "update", "clear", "shuffle")


class NoneOrigin(Struct, frozen=True):
    """The expression that a None comes from.

    `form` says how: it is `made` there, a call returns `nothing`, or a key was `absent`.
    """

    module: Module
    node: ast.expr
    form: str


class _NameScope(Struct, frozen=True):
    """A function, or a file, in which names are looked up; `level` is that of its frame."""

    module: Module
    function: FunctionNode | None
    level: int


def none_origin(frames: Sequence[FrameContext], name: str) -> NoneOrigin | None:
    """Return where the None comes from that a name of the last frame stands for.

    None is returned if it is not known, or if there are several places. `frames` are the learner's,
    the outermost first.
    """
    frame = frames[-1]
    at = frame.node or frame.statement
    if at is None:
        return None
    scope = _NameScope(frame.module, frame.function, len(frames) - 1)
    found = {it.node: it for it in _NoneSearch(frames).of_name(name, at, scope, None, FARTHEST)}
    return next(iter(found.values())) if len(found) == 1 else None


class _NoneSearch:
    """Follows the values that an expression may have."""

    def __init__(self, frames: Sequence[FrameContext]) -> None:
        self._frames = frames

    def of(
        self, node: ast.expr, scope: _NameScope, part: int | None, steps: int
    ) -> Iterator[NoneOrigin]:
        """Yield the origins of an expression, or of one part of the tuple that it is."""
        match node:
            case _ if steps == 0:
                return
            case ast.Constant(value=None) if part is None:
                yield NoneOrigin(scope.module, node, "made")
            case ast.Tuple(elts=elts) | ast.List(elts=elts) if part is not None:
                if part < len(elts) and is_none(elts[part]):
                    yield NoneOrigin(scope.module, node, "made")
                elif part < len(elts) and not any(isinstance(n, ast.Starred) for n in elts):
                    yield from self.of(elts[part], scope, None, steps - 1)
            case ast.Subscript(value=value, slice=ast.Constant(value=int(n))) if part is None:
                yield from self.of(value, scope, n, steps - 1)
            case ast.IfExp(body=body, orelse=orelse):
                yield from self.of(body, scope, part, steps - 1)
                yield from self.of(orelse, scope, part, steps - 1)
            case ast.Name(id=name):
                yield from self.of_name(name, node, scope, part, steps - 1)
            case ast.Call():
                yield from self._of_call(node, scope, part, steps - 1)

    def of_name(
        self, name: str, at: ast.AST, scope: _NameScope, part: int | None, steps: int
    ) -> Iterator[NoneOrigin]:
        """Yield the origins of what a name has at a node."""
        statements, is_whole = _assigned_before(scope, name, at)
        for statement in statements:
            value = getattr(statement, "value", None)
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            taken = _part_of(targets[0], name) if len(targets) == 1 else None
            if isinstance(value, ast.expr) and taken is not None and (taken < 0 or part is None):
                yield from self.of(value, scope, part if taken < 0 else taken, steps - 1)
        if not is_whole and name in parameter_names(scope.function):
            yield from self._of_argument(name, scope, part, steps)

    def _of_argument(
        self, name: str, scope: _NameScope, part: int | None, steps: int
    ) -> Iterator[NoneOrigin]:
        """Yield the origins of what the calling frame passed for a parameter.

        A None that stands in the call itself is left out: the author sees it.
        """
        caller = self._frames[scope.level - 1] if scope.level > 0 else None
        call = caller.node if caller is not None else None
        function = scope.function
        if caller is None or not isinstance(call, ast.Call) or function is None:
            return
        called = last_name(called_name(call) or call.func)
        own = getattr(function, "name", "")
        if called != own and (own != "__call__" or called in _RUNNERS):
            return
        given = argument_for(function, call, name)
        if given is not None and not is_none(given):
            outer = _NameScope(caller.module, caller.function, scope.level - 1)
            yield from self.of(given, outer, part, steps - 1)

    def _of_call(
        self, call: ast.Call, scope: _NameScope, part: int | None, steps: int
    ) -> Iterator[NoneOrigin]:
        """Yield the origins of what a function of the file, or a method of Python's, returns."""
        function = called_function(scope.module, call)
        if function is not None:
            inner = _NameScope(scope.module, function, 0)
            results = returned(function)
            if part is None and all(it is None for it in results):
                yield NoneOrigin(scope.module, call, "nothing")
            for result in results:
                if result is not None:
                    yield from self.of(result, inner, part, steps - 1)
        elif part is None and method_owner(call, "get") is not None and len(call.args) == 1:
            yield NoneOrigin(scope.module, call, "absent")
        elif part is None and method_owner(call, *_IN_PLACE) is not None:
            yield NoneOrigin(scope.module, call, "nothing")


def _assigned_before(scope: _NameScope, name: str, at: ast.AST) -> tuple[list[ast.stmt], bool]:
    """List the assignments that a name may have its value from at a node.

    Of those before it, the last one that surely ran replaces all before. Those behind count if a
    loop goes through both. The second result says that one surely ran.
    """
    module = scope.module
    outer = [at, *module.ancestors(at)]
    made = module.assignments(name, scope.function or module.tree)
    made = [it for it in made if it not in outer]
    loops = [n for n in outer if isinstance(n, ast.For | ast.While)]
    before = [it for it in made if it.lineno <= getattr(at, "lineno", 0)]
    behind = [it for it in made if it not in before and _is_inside_of(module, it, loops)]
    sure = [it for it in before if any(n in outer for n in block_of(module, it))]
    if not sure:
        return [*before, *behind], False
    last = sure[-1]
    kept = before[before.index(last) :]
    inner = [n for n in loops if last not in ast.walk(n)]
    return [*kept, *(it for it in behind if _is_inside_of(module, it, inner))], True


def _is_inside_of(module: Module, node: ast.AST, outer: Sequence[ast.AST]) -> bool:
    return any(n in outer for n in module.ancestors(node))


def _part_of(target: ast.AST | None, name: str) -> int | None:
    """Return which part of a value a target gives to a name; -1 for all of it."""
    if isinstance(target, ast.Name):
        return -1 if target.id == name else None
    names = [getattr(n, "id", None) for n in getattr(target, "elts", [])]
    return names.index(name) if name in names else None
