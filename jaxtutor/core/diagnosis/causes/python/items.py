"""Matches and fixes reading from a container what only one of its items has."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of


class ItemHas(AtFrame, frozen=True, kw_only=True):
    """What a container lacks; `items` are the places, such as `[1][0]`, of those that have it."""

    node: ast.Attribute | ast.Subscript
    items: tuple[str, ...]


def one_level_deeper(context: FailureContext) -> ItemHas | None:
    """A key or an attribute is read from a container, and from an item inside it there is one."""
    frame, node, items = context.frame, context.node, context.failure.holders
    if frame is None or not isinstance(node, ast.Attribute | ast.Subscript) or not items:
        return None
    holder = frame.module.text(node.value)
    rest = frame.module.text(node).removeprefix(holder)
    listed = ", ".join(f"`{key}`" for key in context.failure.keys)
    facts = {
        "name": holder,
        "argument": rest,
        "detail": " or ".join(f"`{holder}{item}{rest}`" for item in items[:3]),
        "container": frame.kind(node.value) or "tuple",
        "condition": listed,
    }
    form = "key" if isinstance(node, ast.Subscript) else ""
    return ItemHas(None, facts, form, context=context, node=node, items=items)


def read_item(found: ItemHas) -> Drafts:
    """Read from the item, and an attribute wherever the file reads it from the same container."""
    module, path = found.module, path_of(found.node)
    same = [
        n
        for n in module.nodes
        if isinstance(n, ast.Attribute | ast.Subscript)
        and (n is found.node or (path is not None and path_of(n) == path))
    ]
    for item in found.items:
        draft = Draft(module)
        for node in same:
            draft.after(node.value, item)
        yield draft.certain() if len(found.items) == 1 and not _is_stored(found) else draft


def _is_stored(found: ItemHas) -> bool:
    """Return whether the file also stores under the key: then another container may be wrong."""
    key = ast.dump(found.node.slice) if isinstance(found.node, ast.Subscript) else ""
    stored = [
        n
        for n in found.module.nodes
        if isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load)
    ]
    return any(ast.dump(n.slice) == key for n in stored)


RULES = (Rule("value-one-level-deeper", raised(one_level_deeper), read_item),)
