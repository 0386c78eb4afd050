"""Recognizes programs that differ only in comments, layout, imports and names.

A fingerprint does not see statements in another order, nor an expression written another way. Two
learners may also write the same program by themselves, the more likely the shorter it is; so a
program counts only if it is long enough without the starter, and is not one of the course's own.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

LEAST_NODES = 60
"""Nodes of the syntax tree that a program must have beyond the starter's, some six lines. Two
thirds of the course's solutions have fewer, and answers that short are written alike by chance."""

_Rename = Callable[[str], str]
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


class Fingerprint(Struct, frozen=True):
    """The digest of a program's structure, and how many nodes it has."""

    digest: str
    nodes: int

    def is_telling(self, starter: Fingerprint | None) -> bool:
        """Return whether so much was written that the same by chance is not likely."""
        return self.nodes - (starter.nodes if starter else 0) >= LEAST_NODES


def fingerprint(source: str) -> Fingerprint | None:
    """Return the fingerprint of a program; None if it is not valid Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
        pieces = list(_pieces(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    text = "\x1f".join(pieces)
    return Fingerprint(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), len(pieces))


def _pieces(tree: ast.Module) -> Iterator[str]:
    """Yield the nodes in order, with their names replaced.

    An imported name becomes what it is imported from, and one of the program's own a number, in
    the order of first use.
    """
    imported = dict(_imported(tree))
    bound = set(_bound(tree)) - set(imported)
    numbers: dict[str, int] = {}
    known: dict[ast.AST, str] = {}

    def renamed(name: str) -> str:
        if name in bound:
            return f"#{numbers.setdefault(name, len(numbers))}"
        return imported.get(name, name)

    waiting: list[ast.AST | None] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom | ast.expr_context):
            continue
        if node is None:
            yield "-"
            continue
        children, words = _parts(node, _dotted(node, imported, known), renamed)
        yield " ".join((type(node).__name__, *words))
        waiting += reversed(children)


def _parts(node: ast.AST, dotted: str, renamed: _Rename) -> tuple[list[ast.AST | None], list[str]]:
    """Return the children of a node, and its words: names, constants and numbers of children."""
    if dotted:
        return [], [dotted]
    children: list[ast.AST | None] = []
    words: list[str] = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            items = _without_docstring(node) if field == "body" else value
            words.append(str(len(items)))
            children += [item for item in items if isinstance(item, ast.AST) or item is None]
            words += [renamed(item) for item in items if isinstance(item, str)]
        elif isinstance(value, ast.AST) or (value is None and field != "type_comment"):
            children.append(value)
        elif isinstance(value, str) and not isinstance(node, ast.Constant):
            words.append(value if _is_foreign(node, field) else renamed(value))
        else:
            words.append(repr(value))
    return children, words


def _is_foreign(node: ast.AST, field: str) -> bool:
    """Return whether a name is not the program's to choose: that of an attribute or a keyword."""
    return isinstance(node, ast.Attribute) or (isinstance(node, ast.keyword) and field == "arg")


def _dotted(node: ast.AST, imported: Mapping[str, str], known: dict[ast.AST, str]) -> str:
    """Return the full name of an imported object, as in jax.numpy.where; else an empty string.

    `known` holds the names of nodes, so that each part of a long chain is followed once.
    """
    if isinstance(node, ast.Name):
        return imported.get(node.id, "")
    if not isinstance(node, ast.Attribute):
        return ""
    if node not in known:
        inner = _dotted(node.value, imported, known)
        known[node] = f"{inner}.{node.attr}" if inner else ""
    return known[node]


def _without_docstring(node: ast.AST) -> list[ast.stmt]:
    body: list[ast.stmt] = getattr(node, "body", [])
    if isinstance(node, _Scope) and body and isinstance(body[0], ast.Expr):
        value = body[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            body = body[1:]
    return [it for it in body if not isinstance(it, ast.Import | ast.ImportFrom)]


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that imports bind, each with the full name of what it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that the program itself binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ExceptHandler):
            yield node.name or ""
