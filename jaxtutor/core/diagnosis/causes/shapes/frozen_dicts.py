"""Matches and fixes frozen dicts of Flax that meet plain dicts."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.names import last_name

_FROZEN = "<class 'flax.core.frozen_dict.FrozenDict'>"


class FrozenBesidePlain(AtFrame, frozen=True, kw_only=True):
    """A call that freezes a dict, which then meets plain ones."""

    freeze: ast.Call
    module_of: Module


def frozen_beside_plain(context: FailureContext) -> AtFrame | None:
    """A frozen dict of Flax and a plain dict are in one operation on trees."""
    if _FROZEN not in context.message or "<class 'dict'>" not in context.message:
        return None
    calls = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if len(node.args) == 1 and not node.keywords
        if last_name(node.func) in ("freeze", "FrozenDict")
    ]
    found = at_frame(context)
    if found is None or len(calls) != 1:
        return found
    module, freeze = calls[0]
    facts = {"name": module.text(freeze), "argument": module.text(freeze.args[0])}
    return FrozenBesidePlain(
        module.location(freeze), facts, "frozen", context=context, freeze=freeze, module_of=module
    )


def keep_plain(found: AtFrame) -> Drafts:
    """Leave the dict as it is."""
    if isinstance(found, FrozenBesidePlain):
        text = found.module_of.text(found.freeze.args[0])
        yield Draft(found.module_of).certain().replace(found.freeze, text)


RULES = (Rule("frozen-dict-beside-dict", raised(frozen_beside_plain), keep_plain),)
