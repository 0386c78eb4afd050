"""Owns the putting of a cell's definitions into a file: in place of what they define anew."""

from __future__ import annotations

import ast

from msgspec import Struct

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Import = ast.Import | ast.ImportFrom


class Merged(Struct, frozen=True):
    """A file's new text, and the names whose definitions are the cell's."""

    source: str
    names: tuple[str, ...]


def merge(source: str, cell: str) -> Merged:
    """Put definitions, constants and imports of a cell into a file; the rest of it is left out.

    A file that is no Python gets the cell's text at its end.
    """
    try:
        theirs = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return Merged(source, ())
    try:
        ours = ast.parse(source).body
    except (SyntaxError, ValueError):
        names = tuple(name for node in theirs for name in _names(node))
        return Merged(
            _append(source, [_text(cell, node) for node in theirs if _names(node)]), names
        )
    lines = source.split("\n")
    added: list[str] = []
    imports: list[str] = []
    told: list[str] = []
    for node in theirs:
        names = _names(node)
        text = _text(cell, node)
        if not names:
            continue
        told += names
        if isinstance(node, _Import):
            imports += [] if _has(ours, node) else [text]
            continue
        place = next((old for old in reversed(ours) if _names(old) == names), None)
        if place is None or isinstance(place, _Import):
            added.append(text)
        else:
            _replace(lines, place, text)
    _insert(lines, ours, imports)
    return Merged(
        _append("\n".join(line for line in lines if line is not _GONE), added), tuple(told)
    )


_GONE = "\0"


def _names(node: ast.stmt) -> tuple[str, ...]:
    """Name what a statement binds, if it is one that belongs into a file."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return tuple(alias.asname or alias.name for alias in names)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return (name,) if name.isupper() else ()
    return ()


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(int(d.lineno) for d in decorators)])


def _text(source: str, node: ast.stmt) -> str:
    return "\n".join(source.split("\n")[_first(node) - 1 : node.end_lineno])


def _has(body: list[ast.stmt], node: ast.stmt) -> bool:
    return any(ast.dump(old) == ast.dump(node) for old in body)


def _replace(lines: list[str], old: ast.stmt, text: str) -> None:
    """Put a text where a statement stands, the other lines' numbers kept for now."""
    first, last = _first(old) - 1, (old.end_lineno or old.lineno) - 1
    lines[first] = text
    for number in range(first + 1, last + 1):
        lines[number] = _GONE


def _insert(lines: list[str], body: list[ast.stmt], imports: list[str]) -> None:
    """Put imports after the last one there, else after the docstring."""
    if not imports:
        return
    ends = [node.end_lineno or 0 for node in body if isinstance(node, _Import)]
    docs = [
        node.end_lineno or 0
        for node in body[:1]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    lines[(ends or docs or [0])[-1] : (ends or docs or [0])[-1]] = imports


def _append(source: str, texts: list[str]) -> str:
    if not texts:
        return source
    head = source.rstrip("\n")
    return "\n\n\n".join(filter(None, [head, *texts])) + "\n"
