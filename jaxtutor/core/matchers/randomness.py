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
    level, node = scene.level, scene.node
    if level is None or node is None or scene.error not in _REFUSALS:
        return None
    if "immutable" in scene.message or "requires real" in scene.message:
        return None
    if (level.callee(node) or "").startswith("jax.random."):
        return None
    if any(words in scene.message for words in _KEY_WORDS):
        return Match(facts=_name(level, node))
    value = node.func if isinstance(node, ast.Call) else node
    base = value.value if isinstance(value, ast.Subscript | ast.Attribute) else None
    given = node.args if isinstance(node, ast.Call) else ()
    is_used = base is not None and _is_key(level, base)
    is_given = any(_is_key(level, n) for a in given for n in _items(a))
    return Match(facts=_name(level, node)) if is_used or is_given else None


_REFUSALS = ("TypeError", "IndexError", "ValueError", "AttributeError", "NotImplementedError")
_KEY_WORDS = ("dtypes key<", "from key<", "PRNGKey", "key array", "0-d key")


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


def _name(level: Level, node: ast.AST) -> dict[str, str]:
    keys = [n for n in ast.walk(node) if isinstance(n, ast.Name) and _is_key(level, n)]
    return {"name": keys[0].id} if keys else {}


def _is_key(level: Level, node: ast.expr) -> bool:
    """Tell whether an expression is a typed key, or an array of them."""
    fact = level.fact(node)
    if fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<")):
        return True
    if isinstance(node, ast.Subscript):
        return _is_key(level, node.value)
    if isinstance(node, ast.Call) and (level.callee(node) or "").startswith("jax.random."):
        makes = (level.callee(node) or "").endswith((".split", ".fold_in", ".key", ".clone"))
        is_typed = (level.callee(node) or "").endswith(".key") or any(
            _is_key(level, a) for a in node.args
        )
        return makes and is_typed
    return False


MATCHERS = (
    ("prng-key-reuse", key_reuse),
    ("typed-key-as-raw-array", typed_key),
)
