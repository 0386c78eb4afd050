"""Matches and mends keys that are passed to objects of NNX in the place of `nnx.Rngs`."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.library_calls import given_values
from jaxtutor.core.diagnosis.reading import keyword_of
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module


class KeyForRngs(AtFrame, frozen=True, kw_only=True):
    """A key that is passed as `rngs`; `given` is the argument of the outermost call."""

    given: ast.expr
    module_of: Module


def key_for_rngs(context: FailureContext) -> KeyForRngs | None:
    """A layer of NNX gets a key, or a seed, in the place of `nnx.Rngs`."""
    frame, call = context.frame, context.call
    option = keyword_of(call, "rngs") if call is not None else None
    if frame is None or call is None or option is None or context.library != "flax":
        return None
    passed = [
        (module, node)
        for node in given_values(context, frame, option.value)
        for module in context.modules.values()
        if isinstance(module.parents.get(node), ast.Call | ast.keyword)
    ]
    if not passed:
        return None
    module, given = passed[-1]
    facts = {"name": frame.module.text(call.func), "argument": module.text(given)}
    place = module.location(given)
    return KeyForRngs(place, facts, context=context, frame=frame, given=given, module_of=module)


def wrap_key(found: KeyForRngs) -> Drafts:
    """Pass `nnx.Rngs(key)`."""
    nnx = next((a for a, p in found.module_of.imports.items() if p == "flax.nnx"), None)
    if nnx is not None:
        yield Draft(found.module_of).certain().wrap(found.given, f"{nnx}.Rngs(", ")")
