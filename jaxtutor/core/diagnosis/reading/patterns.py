"""Finds expressions by patterns that are written as Python: `jnp.mean($errors) / len($x)`.

`$x` stands for any expression, and for an equal one wherever it is repeated; `...` for any further
arguments, or entries of a tuple. A path of the pattern is resolved as `jnp` and `jax` usually are,
a path of the file by its imports, and a name is followed to what was assigned to it. The sides of
`+`, `*`, `&`, `|` and `==` match either way round, and `jnp.mean($x)` matches `x.mean()` too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import bound_value

Bound = Mapping[str, ast.expr]
"""What the variables of a pattern stand for."""

_HOMES = {"jnp": "jax.numpy", "np": "numpy", "nn": "jax.nn", "lax": "jax.lax"}
_VARIABLE = "__"
_SYMMETRIC = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.Eq, ast.NotEq)


def find(module: Module, *patterns: str) -> Iterator[tuple[ast.expr, Bound]]:
    """Yield each expression of a file that a pattern matches, with what its variables stand for.

    `jnp.mean(y - z)` with `y - z` for `x`, of the pattern `jnp.mean($x)`.
    """
    wanted = [(pattern, _parse(pattern)) for pattern in patterns]
    called = module.once(_called)
    is_of_calls = all(isinstance(tree, ast.Call) for _, tree in wanted)
    for node in module.calls if is_of_calls else module.nodes:
        for pattern, tree in wanted:
            if type(node) is type(tree) and _may_match(tree, called.get(node)):
                yield from ((node, bound) for bound in matches(module, node, pattern))


def _called(module: Module) -> dict[ast.AST, set[str]]:
    """Map each call to the last parts of what it may call: most patterns are of one function."""
    paths = {
        call: (path_of(call.func), module.dotted(call.func) or _last_part(call.func))
        for call in module.calls
    }
    return {
        call: {path.rpartition(".")[2] for path in both if path} for call, both in paths.items()
    }


def _last_part(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else None


def _may_match(wanted: ast.expr, called: set[str] | None) -> bool:
    """Return whether a call can match, by the last part of the name of its function."""
    path = _path(wanted.func) if isinstance(wanted, ast.Call) else None
    return path is None or called is None or path.rpartition(".")[2] in called


def matches(module: Module, node: ast.AST | None, *patterns: str) -> Iterator[Bound]:
    """Yield the ways to match an expression: both orders of `a * b` for `$x * $y`."""
    if node is not None:
        for pattern in patterns:
            yield from _Matcher(module).match(_parse(pattern), node, {})


def first_match(module: Module, node: ast.AST | None, *patterns: str) -> Bound | None:
    """Return what variables stand for in an expression: `a` for `x` in `f(a)`, by `f($x)`."""
    return next(matches(module, node, *patterns), None)


def fits(module: Module, node: ast.AST | None, *patterns: str) -> bool:
    """Return whether a pattern matches an expression, as `f($x)` does `f(a)`."""
    return first_match(module, node, *patterns) is not None


@cache
def _parse(pattern: str) -> ast.expr:
    return ast.parse(re.sub(r"\$(\w+)", rf"{_VARIABLE}\1", pattern), mode="eval").body


class _Matcher:
    """Matches patterns in one file."""

    def __init__(self, module: Module) -> None:
        self._module = module

    def match(self, wanted: ast.AST, node: ast.AST, bound: Bound) -> Iterator[Bound]:
        """Yield what the variables stand for in each way that a node matches."""
        if isinstance(wanted, ast.Name) and wanted.id.startswith(_VARIABLE):
            name = wanted.id.removeprefix(_VARIABLE)
            if isinstance(node, ast.expr) and _is_equal(bound.get(name, node), node):
                yield {**bound, name: node}
            return
        path = _path(wanted)
        if path is not None:
            if self._module.dotted(node) == path or path_of(node) == path:
                yield bound
            return
        if isinstance(node, ast.Name):
            node = bound_value(self._module, node)
        match wanted, node:
            case ast.Call(), ast.Call():
                yield from self._match_call(wanted, node, bound)
            case ast.BinOp(), ast.BinOp() if type(wanted.op) is type(node.op):
                pair = wanted.left, wanted.right
                yield from self._match_sides(wanted.op, pair, (node.left, node.right), bound)
            case ast.Compare(ops=[op]), ast.Compare(ops=[other]) if type(op) is type(other):
                pair = wanted.left, wanted.comparators[0]
                yield from self._match_sides(op, pair, (node.left, node.comparators[0]), bound)
            case (ast.Tuple(elts=[*first, last]), ast.Tuple(elts=items)) if _is_ellipsis(last):
                yield from self._match_all(first, items[: len(first)], bound)
            case _ if type(wanted) is type(node):
                yield from self._match_all(_parts(wanted), _parts(node), bound)

    def _match_sides(
        self, op: ast.AST, wanted: tuple[ast.expr, ...], sides: tuple[ast.expr, ...], bound: Bound
    ) -> Iterator[Bound]:
        yield from self._match_all(wanted, sides, bound)
        if isinstance(op, _SYMMETRIC):
            yield from self._match_all(wanted, sides[::-1], bound)

    def _match_call(self, wanted: ast.Call, call: ast.Call, bound: Bound) -> Iterator[Bound]:
        path = _path(wanted.func) or ""
        args = [arg for arg in wanted.args if not _is_ellipsis(arg)]
        given: list[ast.expr | None] = [argument(call, n) for n in range(len(args))]
        used = len(args)
        for keyword in wanted.keywords:
            args.append(keyword.value)
            given.append(argument(call, None, keyword.arg or ""))
        funcs = [(wanted.func, call.func)]
        is_method = isinstance(call.func, ast.Attribute) and path == f"jax.numpy.{call.func.attr}"
        if is_method and self._module.dotted(call.func) != path:
            assert isinstance(call.func, ast.Attribute)
            given, used, funcs = [call.func.value, *given[: used - 1], *given[used:]], used - 1, []
        is_open = len(args) - len(wanted.keywords) < len(wanted.args)
        extra = len(call.args) - used + len(call.keywords) - len(wanted.keywords)
        if all(item is not None for item in given) and (is_open or not extra):
            pairs = [*funcs, *zip(args, given, strict=True)]
            yield from self._match_all([p[0] for p in pairs], [p[1] for p in pairs], bound)

    def _match_all(self, wanted: Any, nodes: Any, bound: Bound) -> Iterator[Bound]:
        """Yield the ways in which several nodes match one after the other."""
        if not wanted and not nodes:
            yield bound
        elif len(wanted) == len(nodes):
            for one in self._match_one(wanted[0], nodes[0], bound):
                yield from self._match_all(wanted[1:], nodes[1:], one)

    def _match_one(self, wanted: object, node: object, bound: Bound) -> Iterator[Bound]:
        if isinstance(wanted, ast.AST) and isinstance(node, ast.AST):
            yield from self.match(wanted, node, bound)
        elif wanted == node:
            yield bound


def _parts(node: ast.AST) -> list[object]:
    """List the fields of a node in order; those of a list one by one, with their number."""
    found: list[object] = []
    for name, value in ast.iter_fields(node):
        if name not in ("ctx", "kind"):
            found += [len(value), *value] if isinstance(value, list) else [value]
    return found


@cache
def _path(node: ast.AST) -> str | None:
    """Return the full path that a name of a pattern stands for; None where a variable is in it."""
    path = path_of(node)
    if path is None or path.startswith(_VARIABLE):
        return None
    root, dot, rest = path.partition(".")
    return _HOMES.get(root, root) + dot + rest


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _is_equal(one: ast.expr, other: ast.expr) -> bool:
    return one is other or ast.dump(one) == ast.dump(other)
