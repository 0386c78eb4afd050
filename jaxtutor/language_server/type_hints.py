"""Places the types of arrays beside the variables that hold them, as inlay hints.

A run reports what the variables of a function hold when it is left. A hint belongs to the place
that bound this value: the only one, or the last one if no branch or loop can have bound it since.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from jaxtutor.core.data.facts import LocalTypes
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import split_lines
from jaxtutor.language_server import convert

ARRAYS = ("tracer", "array", "ndarray", "typed_key")
Definition = ast.FunctionDef | ast.AsyncFunctionDef
Scope = Definition | ast.Module
INNER = (
    Definition
    | ast.ClassDef
    | ast.Lambda
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
)
"""What has variables of its own."""
COMPOUND = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match


def failed_types(failure: Failure | None) -> tuple[LocalTypes, ...]:
    """Return the types of variables in the frames of an exception."""
    if failure is None:
        return ()
    return tuple(
        LocalTypes(
            frame.file,
            frame.function.rpartition(".")[2],
            frame.span.line,
            tuple((fact.name, fact.detail) for fact in facts if fact.kind in ARRAYS),
            raised=True,
        )
        for frame, facts in zip(failure.frames, failure.call_names, strict=False)
    )


def hints(source: str, types: Iterable[LocalTypes]) -> list[lsp.InlayHint]:
    """Return a hint at each binding of an array whose type is known, in a file that was run."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: dict[tuple[int, int], str] = {}
    for left in types:
        scope = _scope(tree, left)
        if scope is None:
            continue
        for name, type_ in left.names:
            place = _binding(scope, name, left)
            if place is not None:
                found.setdefault(place, type_)
    lines = split_lines(source)
    return [
        lsp.InlayHint(
            position=convert.byte_position(lines, line, offset),
            label=f": {type_}",
            kind=lsp.InlayHintKind.Type,
        )
        for (line, offset), type_ in sorted(found.items())
    ]


def _scope(tree: ast.Module, left: LocalTypes) -> Scope | None:
    """Return the innermost function of this name around a line, or the whole file."""
    if left.function == "<module>":
        return tree
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, Definition)
        and node.name == left.function
        and node.lineno <= left.line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _binding(scope: Scope, name: str, left: LocalTypes) -> tuple[int, int] | None:
    """Return the end of the name where it was bound to what it held at the end, if that is sure."""
    places = [place for bound, place in _bindings(scope) if bound == name]
    if len(places) == 1:
        return places[0]
    last_line = left.line - 1 if left.raised else left.line
    body = _body(scope)
    straight = [
        (statement, place)
        for statement in body
        if (statement.end_lineno or 0) <= last_line and not isinstance(statement, COMPOUND)
        for bound, place in _bound(statement)
        if bound == name
    ]
    if not straight:
        return None
    statement, last = straight[-1]
    around = next((s for s in body if s.lineno <= left.line <= (s.end_lineno or 0)), None)
    end = around.end_lineno if isinstance(around, COMPOUND) else last_line
    is_later = any(statement.lineno <= line <= (end or 0) for line, _ in {*places} - {last})
    return None if is_later else last


def _body(scope: Scope) -> list[ast.stmt]:
    """Return the statements of a function or a file; those of its main part are among them."""
    body: list[ast.stmt] = []
    for statement in scope.body:
        body += statement.body if convert.is_main_part(statement) else [statement]
    return body


def _bindings(scope: Scope) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names that a function or a file binds, with the line and the offset behind each."""
    if not isinstance(scope, ast.Module):
        given = scope.args
        for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
            yield arg.arg, (arg.lineno, arg.col_offset + len(arg.arg.encode()))
    for statement in scope.body:
        yield from _bound(statement)


def _bound(node: ast.AST) -> Iterator[tuple[str, tuple[int, int]]]:
    if isinstance(node, INNER):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, (node.lineno, node.end_col_offset or 0)
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)
