"""Owns the causes in random numbers."""

from __future__ import annotations

import ast

from jaxtutor.core.scene import Level, Match, Scene


def key_reuse(scene: Scene) -> Match | None:
    """A key is used for a second draw."""
    if scene.error != "KeyReuseError":
        return None
    level = _where_paths_part(scene) or scene.level
    place = level.place(level.node) if level is not None and level.node is not None else None
    return Match(place, {"name": _key_name(level)})


def _where_paths_part(scene: Scene) -> Level | None:
    """Find the caller that gave one key to two functions: there the two uses part."""
    first = scene.failure.linked.frames if scene.failure.linked is not None else ()
    for level, before in zip(scene.levels, first, strict=False):
        same = (level.frame.file, level.frame.function) == (before.file, before.function)
        if not same:
            return None
        if level.frame.span.line != before.span.line:
            return level
    return None


def _key_name(level: Level | None) -> str:
    call = level.node if level is not None else None
    names = [a for a in getattr(call, "args", []) if isinstance(a, ast.Name)]
    return names[0].id if names else ""


def typed_key(scene: Scene) -> Match | None:
    """A typed key is treated as an array of two numbers."""
    level = scene.level
    if level is None or scene.error not in (
        "TypeError",
        "IndexError",
        "ValueError",
        "AttributeError",
    ):
        return None
    if "dtypes key<" in scene.message or ("key<fry>" in scene.message and scene.raised_in("op")):
        return Match()
    if "immutable" in scene.message:
        return None
    node = scene.node
    base = node.value if isinstance(node, ast.Subscript | ast.Attribute) else None
    if base is None or not _is_key(level, base):
        return None
    name = level.module.text(base)
    return Match(facts={"name": name})


def _is_key(level: Level, node: ast.expr) -> bool:
    fact = level.fact(node)
    return fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<"))


MATCHERS = (
    ("prng-key-reuse", key_reuse),
    ("typed-key-as-raw-array", typed_key),
)
