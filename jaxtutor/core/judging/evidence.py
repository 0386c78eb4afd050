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

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Assignment = ast.Assign | ast.AugAssign | ast.AnnAssign
_RESULT = re.compile(r"\d|\b(?:True|False|nan|inf)\b")


class Dependents(Struct, frozen=True):
    """What depends on a failed statement: variables, and lines of statements with a value.

    `names` are `loss` for a global variable and `main.loss` for one of a function.
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
    """Find what depends on the statement that failed, in the program's own file."""
    names: set[str] = set()
    lines: set[int] = set()
    try:
        tree = ast.parse(sources.get(file, ""))
    except (SyntaxError, ValueError):
        return Dependents(frozenset(), frozenset())
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    for frame in failure.frames:
        function = functions.get(frame.function)
        scope = tree if frame.function == "<module>" else function
        if frame.file != file or scope is None:
            continue
        if not scope.body[0].lineno <= frame.span.line <= (scope.body[-1].end_lineno or 0):
            continue  # a method with the name of a function
        found, at = _follow(scope, frame.span.line)
        names |= found if function is None else {f"{function.name}.{name}" for name in found}
        lines |= at
    return Dependents(frozenset(names), frozenset(lines))


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
    return given - _bound(node) if isinstance(node, ast.Assign | ast.AnnAssign) else given


def _bound(node: ast.stmt) -> set[str]:
    """Return the variables that a statement binds or changes: `losses` of `losses.append(x)`."""
    if isinstance(node, Assignment):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return {name}
    return set()


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
    except (SyntaxError, ValueError):
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
