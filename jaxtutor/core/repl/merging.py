"""Merges the definitions of a cell into a file, in place of earlier ones of the same names."""

from __future__ import annotations

import ast

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Edit
from jaxtutor.core.data.lines import line_end
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Patch, line_start
from jaxtutor.core.diagnosis.engine.source import Module, read_module

_Import = ast.Import | ast.ImportFrom


class Merged(Struct, frozen=True):
    """A file's new text, and the names whose definitions now come from the cell."""

    source: str
    names: tuple[str, ...]


def merge(source: str, cell: str) -> Merged:
    """Merge a cell's definitions, constants and imports into a file, and nothing else.

    If the file is not valid Python, they are appended to it.
    """
    theirs = read_module("", cell)
    if theirs is None:
        return Merged(source, ())
    wanted = [node for node in theirs.tree.body if _names(node)]
    ours = read_module("", source)
    names = tuple(name for node in wanted for name in _names(node))
    if ours is None:
        return Merged(_append(source, [_text(theirs, node) for node in wanted]), names)
    replaced: dict[Span, str] = {}
    imports: list[str] = []
    added: dict[tuple[str, ...], str] = {}
    for node in wanted:
        text, existing = _text(theirs, node), _find_existing(ours, node)
        if isinstance(node, _Import):
            imports += [] if _has(ours, node) else [text]
        elif existing is None:
            added[_names(node)] = text
        else:
            replaced[_stretch(ours, existing)] = text
    edits = [Edit(span, text) for span, text in replaced.items()]
    if imports:
        lines = "".join(f"{text}\n" for text in imports)
        edits.append(Edit(line_start(_after_imports(ours)), lines))
    edits.sort(key=lambda edit: (edit.span.line, edit.span.column))
    return Merged(_append(Patch("", tuple(edits)).apply(source), [*added.values()]), names)


def _names(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a statement binds, if it is a definition, a constant or an import."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return tuple(alias.asname or alias.name for alias in names)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return (name,) if name.isupper() else ()
    return ()


def _find_existing(ours: Module, node: ast.stmt) -> ast.stmt | None:
    """Find the definition that a statement replaces; imports are never replaced."""
    found = (old for old in reversed(ours.tree.body) if _names(old) == _names(node))
    return next((old for old in found if not isinstance(old, _Import)), None)


def _text(module: Module, node: ast.stmt) -> str:
    return module.text(_stretch(module, node))


def _stretch(module: Module, node: ast.stmt) -> Span:
    """Return the lines of a statement with decorators and comment, or only the statement if it
    shares its line with others."""
    span = module.span(node)
    first = min([span.line, *(item.lineno for item in getattr(node, "decorator_list", []))])
    start = span.column if first == span.line else 0
    last = module.lines[span.end_line - 1]
    rest = last[span.end_column :].lstrip()
    end = len(last) if not rest or rest.startswith("#") else span.end_column
    return Span(first, start, span.end_line, end)


def _has(ours: Module, node: ast.stmt) -> bool:
    return any(ast.dump(old) == ast.dump(node) for old in ours.tree.body)


def _after_imports(ours: Module) -> int:
    """Return the line after the last import, otherwise after the docstring."""
    body = ours.tree.body
    ends = [node.end_lineno or 0 for node in body if isinstance(node, _Import)]
    docs = [
        node.end_lineno or 0
        for node in body[:1]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return ours.line_between((ends or docs or [0])[-1] + 1)


def _append(source: str, texts: list[str]) -> str:
    if not texts:
        return source
    head, newline = source.rstrip("\r\n"), line_end(source)
    added = "\n\n\n".join(texts) + "\n"
    return head + (3 * newline if head else "") + added.replace("\n", newline)
