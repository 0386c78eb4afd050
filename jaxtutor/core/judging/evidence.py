"""Finds what a program computes from the statement that failed: a measure of a fix.

Results that were there before the failure are the same with any edit that runs, and prove nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from jaxtutor.core.data.facts import KeptValue, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.judging.equivalence import same_value
from jaxtutor.core.judging.function_paths import function_at

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Assignment = ast.Assign | ast.AugAssign | ast.AnnAssign
RETURNED = "return"
"""The name of what a function returns, among its variables."""

_RESULT = re.compile(r"\d|\b(?:True|False|nan|inf)\b")


class Dependents(Struct, frozen=True):
    """What depends on a failed statement: variables, and lines of statements with a value.

    `names` are `loss` for a global variable of the program, and `FILE:main.loss` or
    `FILE:Trainer.fit.self.loss` for one of a function. What a function returns is its variable
    `return`.
    """

    names: frozenset[str]
    lines: frozenset[int]

    def has_variable(self, facts: ScriptFacts, leaving_out: Collection[str] = ()) -> bool:
        """Return whether one of the program's global variables depends on the statement."""
        return any(name in self.names and name not in leaving_out for name, _ in facts.names)

    def has(self, kept: KeptValue) -> bool:
        """Return whether a result depends on the statement."""
        return kept.name in self.names if kept.name else kept.line in self.lines


def dependents(failure: Failure, sources: Mapping[str, str], file: str) -> Dependents:
    """Find what depends on the statement that failed, in the functions that led to it."""
    names: set[str] = set()
    lines: set[int] = set()
    trees = {name: _parse(sources.get(name, "")) for name in {f.file for f in failure.frames}}
    for frame in failure.frames:
        tree, line = trees[frame.file], frame.span.line
        if frame.function == "<module>" and frame.file == file:
            found, at = _follow(tree, line)
            names |= found
            lines |= at
        elif (function := function_at(tree, frame.function, line)) is not None:
            found, at = _follow(function[1], line)
            prefix = scope_name(function[0], frame.file)
            names |= {f"{prefix}.{name}" for name in found}
            lines |= at if frame.file == file else set()
    return Dependents(frozenset(names), frozenset(lines))


def scope_name(path: str, file: str) -> str:
    """Return the name before those of the variables of a function: its file and its path."""
    return f"{file}:{path}"


def functions_of(failure: Failure, sources: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """List, for each file, the paths of the functions through which an exception passed."""
    found: dict[str, dict[str, None]] = {}
    for frame in failure.frames:
        tree = _parse(sources.get(frame.file, ""))
        function = function_at(tree, frame.function, frame.span.line)
        if function is not None:
            found.setdefault(frame.file, {})[function[0]] = None
    return {file: tuple(paths) for file, paths in found.items()}


def _parse(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _follow(scope: ast.Module | ast.FunctionDef, line: int) -> tuple[set[str], set[int]]:
    """Return the variables and the lines of a scope that depend on the statement at a line."""
    loops = [
        n.lineno
        for n in ast.walk(scope)
        if isinstance(n, ast.For | ast.While)
        if n.lineno <= line <= (n.end_lineno or n.lineno)
    ]
    start = min(loops, default=line)
    statements = [n for n in _simple_statements(scope.body) if (n.end_lineno or 0) >= start]
    names: set[str] = set()
    lines: set[int] = set()
    size = -1
    while size < len(names) + len(lines):
        size = len(names) + len(lines)
        for node in statements:
            is_failed = node.lineno <= line <= (node.end_lineno or node.lineno)
            if is_failed or _read(node) & names:
                names |= _bound(node)
                if isinstance(node, ast.Expr):
                    lines.add(node.lineno)
    return names, lines


def _simple_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope that contain no others."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            continue
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        handlers = [handler.body for handler in getattr(node, "handlers", [])]
        if any(blocks) or handlers:
            for block in (*blocks, *handlers):
                yield from _simple_statements(block)
        else:
            yield node


def _read(node: ast.stmt) -> set[str]:
    given = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    given |= {path for n in ast.walk(node) if (path := _attribute(n))}
    return given - _bound(node) if isinstance(node, ast.Assign | ast.AnnAssign) else given


def _bound(node: ast.stmt) -> set[str]:
    """Return what a statement binds or changes: `losses` of `losses.append(x)`, `self.w`, `return`.

    A statement that binds an attribute says nothing about the others of that object.
    """
    if isinstance(node, Assignment):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {name for target in targets for name in _targets(target)}
    match node:
        case ast.Return():
            return {RETURNED}
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder))):
            return set(_targets(holder))
    return set()


def _targets(node: ast.expr) -> Iterator[str]:
    """Yield the variables and the attributes that an assignment to an expression changes."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute():
            if path := _attribute(node):
                yield path
        case ast.Subscript(value=held) | ast.Starred(value=held):
            yield from _targets(held)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)


def _attribute(node: ast.AST) -> str:
    """Return `self.w` for the attribute of a variable, otherwise an empty text."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return f"{name}.{attribute}"
    return ""


def prints_more(before: str, after: str, source: str) -> bool:
    """Return whether a run printed results after what the failed run had printed.

    A line that stands in the program as a text is not a result.
    """
    lines = [line.strip() for line in after.splitlines() if line.strip()]
    known = sum(bool(line.strip()) for line in before.splitlines())
    fixed = _texts(source)
    return any(_RESULT.search(line) and line not in fixed for line in lines[known:])


def _texts(source: str) -> set[str]:
    """List the lines of the texts that stand in a program."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return {line.strip() for text in texts for line in text.splitlines()}


def same_kept(expected: ScriptFacts, actual: ScriptFacts, found: Dependents) -> bool | None:
    """Compare the results that depend on the failed statement; None if no two can be compared."""
    theirs, ours = _in_order(expected), _in_order(actual)
    pairs = list(zip(theirs, ours, strict=True)) if len(theirs) == len(ours) else []
    named = {kept.name: kept for kept in actual.kept if kept.name}
    last = {kept.name: kept for kept in expected.kept if kept.name}
    pairs += [(kept, named[name]) for name, kept in last.items() if name in named]
    same = [same_value(a.value, b.value) for a, b in pairs if found.has(a)]
    return all(same) if same else None


def _in_order(facts: ScriptFacts) -> list[KeptValue]:
    return [kept for kept in facts.kept if not kept.name]
