"""Finds the top-level definitions of a program that one of them needs."""

from __future__ import annotations

import ast


def needed_by(text: str, name: str) -> frozenset[str]:
    """Return the definitions that one of them needs, itself included; none without that one."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    needs: dict[str, set[str]] = {}
    for statement in statements:
        read = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        needs |= dict.fromkeys(names_of(statement), read)
    found, waiting = set[str](), {name}
    while waiting:
        one = waiting.pop()
        if one in needs and one not in found:
            found.add(one)
            waiting |= needs[one]
    return frozenset(found)


def names_of(statement: ast.stmt) -> frozenset[str]:
    """Return the names of a definition or an assignment."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return frozenset({name})
        case ast.Assign(targets=targets):
            return frozenset(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset()
