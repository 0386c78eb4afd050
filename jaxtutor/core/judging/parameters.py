"""Finds functions whose parameters stand in another order than in the starter.

A caller passes arguments by position, so a swapped pair raises somewhere else, or is computed with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def say_swapped(starter: str, source: str) -> str:
    """Return a sentence about a function with its parameters in another order, or nothing.

    A function inside another one that the submission calls by itself may have any order.
    """
    given, written = _functions(starter), _functions(source)
    for name, (parameters, _) in given.items():
        mine, is_called = written.get(name, ((), False))
        if mine != parameters and sorted(mine) == sorted(parameters) and not is_called:
            last = name.rpartition(".")[2]
            return (
                f"`{last}` is called with ({', '.join(parameters)}), in this order; "
                f"yours takes ({', '.join(mine)})."
            )
    return ""


def _functions(text: str) -> dict[str, tuple[tuple[str, ...], bool]]:
    """Return the parameters of each function, and whether it is inside and called by name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return {
        name: (
            tuple(it.arg for it in (*node.args.posonlyargs, *node.args.args)),
            "." in name and node.name in called,
        )
        for name, node in _walk(tree)
    }


def _walk(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module with their dotted names; methods belong to their class."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:  # no recursion, because expressions may be nested a thousand times
        node, prefix = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            prefix += f"{node.name}."
        waiting += [(child, prefix) for child in reversed([*ast.iter_child_nodes(node)])]
