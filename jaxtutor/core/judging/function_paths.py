"""Names the functions of a source file by their dotted paths: `Trainer.fit`, `main.step`."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function of a file with its path; asynchronous ones are left out."""
    for node in ast.iter_child_nodes(tree):
        path = inside
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            path = f"{inside}.{node.name}" if inside else node.name
        if isinstance(node, ast.FunctionDef):
            yield path, node
        yield from functions(node, path)


def function_at(tree: ast.AST, name: str, line: int) -> tuple[str, ast.FunctionDef] | None:
    """Return the innermost function of this name whose body contains a line."""
    found = None
    for path, node in functions(tree):
        is_inside = node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
        if node.name == name and is_inside:
            found = path, node
    return found
