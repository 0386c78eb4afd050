"""Gives the variables and functions of a program names that say nothing, as long as before.

Attributes, keywords, methods and imported names stay: they belong to an interface. As no name gets
longer or shorter, the places in a record of the program stay true.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

_ONE = "vqzujkVQZUJK"
_LETTERS = "vqzu"


def neutral_names(source: str) -> dict[str, str]:
    """Return what each name that a program may rename becomes: `weights` becomes `v000001`."""
    tree = ast.parse(source)
    kept = set(_interface(tree))
    names = sorted({name for name, _ in _occurrences(tree)} - kept)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | kept | set(names)
    chosen: dict[str, str] = {}
    for name in names:
        fresh = (it for it in _neutral(len(name)) if it not in used)
        if (new := next(fresh, None)) is not None:
            chosen[name] = new
            used.add(new)
    return chosen


def renamed(source: str, names: Mapping[str, str]) -> str:
    """Return a program with other names of the same length."""
    lines = [bytearray(line.encode()) for line in source.splitlines(keepends=True)]
    for name, (line, column) in _occurrences(ast.parse(source)):
        if name in names:
            assert lines[line - 1][column : column + len(name)] == name.encode()
            lines[line - 1][column : column + len(name)] = names[name].encode()
    return b"".join(lines).decode()


def renamed_in(value: Any, names: Mapping[str, str]) -> Any:
    """Return a record as plain data with other names in its texts.

    In a message, which is a sentence, those in quotes and before brackets are names.
    """
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"
    in_texts = re.compile(rf"(?<![\w.])(?:{words})(?![\w<])")
    in_messages = re.compile(
        rf"(?<=['.])(?:{words})(?=['.\[(])|(?<![\w.])(?:{words})(?=[\[(])|"
        rf"(?<=arguments )(?:{words})\b|(?<=the argument )(?:{words})\b|"
        rf"(?<=function )(?:{words})\b(?! input)"
    )

    def rename(it: Any, key: str = "") -> Any:
        if key in _FIXED:
            return it
        if isinstance(it, dict):
            return {k: rename(v, k) for k, v in it.items()}
        if isinstance(it, list | tuple):
            return [rename(item, key) for item in it]
        pattern = in_messages if key == "message" else in_texts
        return pattern.sub(lambda found: names[found[0]], it) if isinstance(it, str) else it

    return rename(value)


_FIXED = (
    "kind", "file", "digest", "error_class", "bases", "jax_frames", "module", "documentation",
    "missing_name", "transformation", "classes", "declared", "parameter", "condition", "values",
)  # fmt: skip
"""Fields of a record that no name of the program's stands in."""


def _occurrences(tree: ast.Module) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each use of a name that the program binds, with its line and its column in bytes."""
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_stored(n)}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    bound |= {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) if name in bound:
                yield name, (node.lineno, node.col_offset)
            case ast.FunctionDef(name=name):
                yield name, (node.lineno, node.col_offset + len("def "))


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _interface(tree: ast.Module) -> Iterator[str]:
    """Yield the names that stay: of keywords and methods, and those bound by other syntax."""
    yield from ("self", "cls", "_")
    imported = {(a.asname or a.name).partition(".")[0] for a in _aliases(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if _root(node) not in imported:
                yield name
            case ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                yield name
            case ast.alias(name=name, asname=None):
                yield name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                yield from several
            case ast.ClassDef(name=name, body=body):
                yield name
                yield from (n.name for n in body if isinstance(n, ast.FunctionDef))
                fields = (t for n in body if isinstance(n, _FIELD) for t in ast.walk(n))
                yield from (t.id for t in fields if isinstance(t, ast.Name) and _is_stored(t))
            case ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text  # such as the names of `static_argnames`


def _aliases(tree: ast.Module) -> Iterator[ast.alias]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from node.names


def _root(node: ast.expr) -> str:
    """Return the name at the beginning of `a.b.c`; nothing if a call or an item is there."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


_FIELD = ast.Assign | ast.AnnAssign


def _neutral(length: int) -> Iterator[str]:
    """Yield names of a length."""
    if length == 1:
        yield from _ONE
        return
    for letter in _LETTERS:
        yield from (f"{letter}{n:0{length - 1}d}" for n in range(10 ** min(length - 1, 3)))
