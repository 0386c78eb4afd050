"""Owns the causes in what may cross a jit boundary: unregistered classes, and None."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.matchers.statics import not_an_array
from jaxtutor.core.scene import Level, Match, Scene, parameters

_NOT_VALID = re.compile(r"of type '?<class '([^']*)'>'? is not a valid JAX type")
_NONE = ("NoneType", "None is not a valid", "got None")


def not_a_jax_type(scene: Scene) -> Match | None:
    """An object of a class that is no pytree is passed to a transformed function."""
    if scene.error != "TypeError":
        return None
    jitted = not_an_array(scene)
    valid = _NOT_VALID.search(scene.message)
    kind = jitted[0] if jitted is not None else valid[1] if valid is not None else None
    if kind is None or not _is_own(scene, kind):
        return None
    facts = {"name": kind.rpartition(".")[2]}
    if jitted is not None and jitted[1]:
        facts["argument"] = jitted[1]
    return Match(facts=facts)


def _is_own(scene: Scene, kind: str) -> bool:
    name = kind.rpartition(".")[2]
    return any(
        isinstance(n, ast.ClassDef) and n.name == name
        for m in scene.modules.values()
        for n in ast.walk(m.tree)
    )


def none_argument(scene: Scene) -> Match | None:
    """None stands for a missing array and is used as one."""
    if scene.error not in ("TypeError", "AttributeError") or scene.level is None:
        return None
    if not any(word in scene.message for word in _NONE):
        return None
    name = _none_name(scene.level)
    return Match(facts={"name": name, "argument": name}) if name else None


def _none_name(level: Level) -> str:
    """Name the parameter, or the attribute, that is None in the expression at fault."""
    given = {a.arg for a in parameters(level.function)}
    part = _only_part(level.node)
    if part is not None and isinstance(part.value, ast.Name) and part.value.id in given:
        return level.module.text(part)
    for node in ast.walk(level.node) if level.node is not None else ():
        if isinstance(node, ast.Name) and node.id in given and level.kind(node) == "none":
            return node.id
        if isinstance(node, ast.Attribute) and level.kind(node) == "none":
            return level.module.text(node)
    return ""


def _only_part(node: ast.AST | None) -> ast.Subscript | None:
    """Find the one part of a parameter (`p["b"]`) among the operands of an operation."""
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = [n for n in operands if isinstance(n, ast.Subscript)]
    return parts[0] if len(parts) == 1 else None


MATCHERS = (
    ("not-a-jax-type", not_a_jax_type),
    ("none-argument", none_argument),
)
