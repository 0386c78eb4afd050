"""Grows the file of a project: adds what a step brings to a text that passed the step before."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from jaxtutor.core.data.lines import line_end, split_lines, with_line_feeds

_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)
GAP = 2
"""Blank lines between an old text and what is added, as formatters put before a function."""


def grow(text: str, addition: str) -> str:
    """Add to a module what an addition defines and the module does not.

    Missing imports go below the module's imports. The other statements follow at the end, with
    their comments, but before `if __name__ == "__main__":`. What is defined already is left as it
    is, so growing twice adds nothing. A text that is not Python is returned unchanged.
    """
    if not text.strip():
        return addition
    tree, added = _parse(text), _parse(addition)
    if tree is None or added is None:
        return text
    end = line_end(text)
    imports = list(_missing_imports(tree, added))
    pieces = [piece for piece in _split(added, split_lines(addition)) if _is_new(tree, piece)]
    if not imports and not pieces:
        return text
    lines = split_lines(text)
    at = _place_of_definitions(tree, lines)
    lines[at:at] = list(_layout(pieces))
    for place, line in reversed(list(_placed(tree, imports))):
        lines.insert(place, line)
    return end.join(lines).rstrip() + end


def definitions(text: str) -> frozenset[str]:
    """Return the names that a module binds at its top level; none if it is not Python."""
    tree = _parse(text)
    return frozenset(_bound(tree.body)) if tree is not None else frozenset()


def changed(before: str, after: str) -> frozenset[str]:
    """Return the names that both modules define, by code that differs; imports do not count.

    Code that is nested more deeply than it can be walked is not compared.
    """
    try:
        old, new = _code(before), _code(after)
    except RecursionError:
        return frozenset()
    return frozenset(name for name in old.keys() & new.keys() if old[name] != new[name])


def _code(text: str) -> dict[str, list[str]]:
    """Return the statements that define each name of a module, without comments and docstrings."""
    tree, code = _parse(text), dict[str, list[str]]()
    for statement in tree.body if tree is not None else ():
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        if isinstance(statement, ast.FunctionDef) and ast.get_docstring(statement) is not None:
            statement.body = statement.body[1:]
        for name in _bound([statement]):
            code.setdefault(name, []).append(ast.dump(statement))
    return code


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(with_line_feeds(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


# ---------------------------------------------------------------- names


def _bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements bind, also inside `if`, `try` and the like."""
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield statement.name
            case ast.Import() | ast.ImportFrom():
                for alias in statement.names:
                    yield alias.asname or alias.name.partition(".")[0]
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                yield from _targets(statement)
            case _ if isinstance(statement, _COMPOUND):
                for _, part in ast.iter_fields(statement):
                    yield from _bound(_statements(part))


def _targets(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    given = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in given:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                yield node.id


def _statements(part: object) -> Iterator[ast.stmt]:
    """Yield the statements of one field of a compound statement, such as the body of an `if`."""
    for item in part if isinstance(part, list) else []:
        if isinstance(item, ast.stmt):
            yield item
        elif isinstance(item, ast.ExceptHandler):
            yield from item.body


# ---------------------------------------------------------------- the imports that are missing


def _missing_imports(tree: ast.Module, added: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of an addition without the names that the module imports already."""
    have = {key for statement in _imports(tree) for key in _keys(statement)}
    for statement in _imports(added):
        names = [
            alias
            for alias, key in zip(statement.names, _keys(statement), strict=True)
            if key not in have
        ]
        if names and isinstance(statement, ast.Import):
            yield ast.Import(names)
        elif names and isinstance(statement, ast.ImportFrom):
            yield ast.ImportFrom(statement.module, names, statement.level)


def _imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]


def _keys(statement: ast.Import | ast.ImportFrom) -> list[tuple[str, str, str]]:
    """Return what each name of an import refers to, and the name that it gets."""
    module = ""
    if isinstance(statement, ast.ImportFrom):
        module = "." * statement.level + (statement.module or "")
    return [(module, alias.name, alias.asname or "") for alias in statement.names]


def _placed(
    tree: ast.Module, imports: Iterable[ast.Import | ast.ImportFrom]
) -> Iterator[tuple[int, str]]:
    """Yield the line after which each missing import goes, the upper ones first."""
    head = _end_of_docstring(tree)
    place = next((each.end_lineno or 0 for each in reversed(_head_imports(tree))), head)
    lines = [ast.unparse(statement) for statement in imports]
    futures = [line for line in lines if line.startswith("from __future__ ")]
    yield from ((head, line) for line in futures)
    yield from ((place, line) for line in lines if line not in futures)
    if not _head_imports(tree) and lines:
        yield place, ""


def _head_imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Return the imports before the first statement that is neither one nor the docstring."""
    found: list[ast.Import | ast.ImportFrom] = []
    for statement in tree.body[bool(_end_of_docstring(tree)) :]:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        found.append(statement)
    return found


def _end_of_docstring(tree: ast.Module) -> int:
    has_docstring = ast.get_docstring(tree, clean=False) is not None
    return (tree.body[0].end_lineno or 0) if has_docstring else 0


# ---------------------------------------------------------------- definitions


@dataclass(frozen=True)
class _Piece:
    """A statement of an addition, with the comments above it and the blank lines before those."""

    statement: ast.stmt
    lines: tuple[str, ...]
    gap: int


def _split(tree: ast.Module, lines: list[str]) -> Iterator[_Piece]:
    """Split an addition into the statements that are neither imports nor its docstring."""
    body = tree.body[bool(_end_of_docstring(tree)) :]
    ends = [_end_of_docstring(tree), *(each.end_lineno or 0 for each in body)]
    if body:
        ends[-1] = len(lines)  # comments below the last statement belong to it
    for statement, (start, end) in zip(body, pairwise(ends), strict=True):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        own = lines[start:end]
        gap = next((n for n, line in enumerate(own) if line.strip()), 0)
        yield _Piece(statement, tuple(_without_end(own[gap:])), gap)


def _without_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _is_new(tree: ast.Module, piece: _Piece) -> bool:
    """Return whether a module lacks every name that a piece binds, or the statement itself."""
    if _is_main(piece.statement):
        return not any(map(_is_main, tree.body))
    names = set(_bound([piece.statement]))
    if names:
        return names.isdisjoint(_bound(tree.body))
    wanted = ast.dump(piece.statement)
    return all(ast.dump(statement) != wanted for statement in tree.body)


def _is_main(statement: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`."""
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _place_of_definitions(tree: ast.Module, lines: list[str]) -> int:
    """Return the line before which definitions are added: that of the main block, or the end."""
    main = next((each for each in tree.body if _is_main(each)), None)
    place = len(lines) if main is None else main.lineno - 1
    while place > 0 and (not lines[place - 1].strip() or (main and lines[place - 1][:1] == "#")):
        place -= 1
    return place


def _layout(pieces: Iterable[_Piece]) -> Iterator[str]:
    """Yield the lines of the pieces, with blank lines before each."""
    for number, piece in enumerate(pieces):
        yield from [""] * (piece.gap if number else GAP)
        yield from piece.lines
