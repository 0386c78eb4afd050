"""Gives each leaf of a tree a key of its own."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.training.updates import TREE_MAPS
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import path_of


def key_for_each_leaf(found: Finding) -> Drafts:
    """Map over a tree of keys too: `jax.tree.map(lambda p, k: …, params, keys)`."""
    module, draw = found.module, found.node
    around = list(module.ancestors(draw))
    function = next((n for n in around if isinstance(n, ast.Lambda)), None)
    call = module.parents.get(function) if function is not None else None
    if function is None or not isinstance(call, ast.Call) or call.args[:1] != [function]:
        return
    if module.dotted(call.func) not in TREE_MAPS or call.keywords or len(call.args) < 2:
        return
    key = draw.args[0] if isinstance(draw, ast.Call) and draw.args else None
    tree, last = path_of(call.args[1]), function.args.args[-1:]
    if not isinstance(key, ast.Name) or tree is None or not last:
        return
    if any(isinstance(n, ast.Name) and n.id == key.id for n in ast.walk(function) if n is not key):
        return
    if key.id in {a.arg for a in function.args.args}:
        return
    draft, name = Draft(module), fresh_name(module, "leaf_key", "key_of_leaf")
    leaves, structure = draft.name("jax.tree.leaves"), draft.name("jax.tree.structure")
    split, unflatten = draft.name("jax.random.split"), draft.name("jax.tree.unflatten")
    keys = f"{split}({key.id}, len({leaves}({tree})))"
    draft.replace(key, name).after(last[0], f", {name}")
    yield draft.after(call.args[-1], f", {unflatten}({structure}({tree}), {keys})")
