"""Matches and fixes pairs of trees for Optax: one has Flax's collections around it, one has not."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, method_of

_KEYS = re.compile(r"with \d+ child\s+keys?\n((?:[ ]+[^\n]*\n?)+)")
_KEY = re.compile(r"\['([^'\]]*)'\]|(\w+)")  # jax 0.10 writes `norm`, newer ones `['norm']`
_MASKED = {"optax.masked": 1, "optax.multi_transform": 1, "optax.partition": 1}
_MASKING = ("optax.adamw", "optax.add_decayed_weights", "optax.lion", "optax.lamb", "optax.lars")


class LevelApart(AtFrame, frozen=True, kw_only=True):
    """An argument with the collections around it, or without; `wraps` says what it lacks."""

    given: ast.expr | None
    module_of: Module | None
    wraps: bool = False


def one_level_apart(context: FailureContext) -> LevelApart | None:
    """One tree begins with `params`, the other with the layers."""
    lines = _KEYS.findall(context.message)
    listed = [{quoted or bare for quoted, bare in _KEY.findall(line)} for line in lines]
    if (
        len(listed) != 2
        or context.frame is None
        or ("params" in listed[0]) == ("params" in listed[1])
    ):
        return None
    module, given, wraps = _mask(context) or _first_state(context) or (None, None, False)
    layers = next(keys for keys in listed if "params" not in keys)
    name = module.text(given) if module is not None and given is not None else ""
    facts = {
        "name": name,
        "container": ", ".join(f"`{key}`" for key in sorted(layers)[:3]),
        "argument": f'{{"params": {name}}}' if wraps else f'{name}["params"]',
    }
    place = module.location(given) if module is not None and given is not None else None
    return LevelApart(
        place,
        facts,
        "" if place is not None else "unknown",
        context=context,
        given=given,
        module_of=module,
        wraps=wraps,
    )


Finding = tuple[Module, ast.expr, bool]


def _mask(context: FailureContext) -> Finding | None:
    """Find the mask or the labels of an optimizer whose `init` was called with the whole."""
    if method_of(context.call) != "init":
        return None
    found = []
    for module in context.modules.values():
        for node in module.nodes:
            path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or path not in (*_MASKED, *_MASKING):
                continue
            mask = argument(node, _MASKED.get(path), "mask")
            if mask is not None and not isinstance(mask, ast.Lambda):
                found.append((module, mask, True))
    return found[0] if len(found) == 1 else None


def _first_state(context: FailureContext) -> Finding | None:
    """Find what the `init` of the optimizer was called with, whose `update` failed."""
    func = context.call.func if context.call is not None else None
    if method_of(context.call) != "update" or not isinstance(func, ast.Attribute):
        return None
    optimizer = path_of(func.value)
    found = [
        (module, node.args[0], False)
        for module in context.modules.values()
        for node in module.calls
        if method_of(node) == "init" and len(node.args) == 1
        if optimizer is not None and path_of(node.func) == f"{optimizer}.init"
    ]
    return found[0] if len(found) == 1 else None


def same_level(found: LevelApart) -> Drafts:
    """Put the tree into the collection, or take it out."""
    if found.module_of is None or found.given is None:
        return
    draft = Draft(found.module_of).certain()
    if found.wraps:
        yield draft.wrap(found.given, '{"params": ', "}")
    else:
        yield draft.after(found.given, '["params"]')


RULES = (Rule("tree-with-collections", raised(one_level_apart), same_level),)
