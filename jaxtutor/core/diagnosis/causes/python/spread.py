"""Matches and fixes a dict of arguments that is passed as one argument."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_MISSING = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?: (.*)")


class NotSpread(AtCall, frozen=True, kw_only=True):
    """A call that passes a dict whose keys are the arguments that are missing."""

    given: ast.expr


def not_spread(context: FailureContext) -> NotSpread | None:
    """A dict that holds the missing arguments of a call is passed as the first of them."""
    call, said = at_call(context), _MISSING.search(context.message)
    if call is None or said is None or call.node.keywords:
        return None
    missing = set(re.findall(r"'(\w+)'", said[1]))
    keys = {key.strip("'\"") for key in context.failure.keys}
    dicts = [a for a in call.node.args if call.frame.kind(a) == "dict"]
    if not missing or not missing <= keys or len(dicts) != 1 or call.node.args[-1] is not dicts[0]:
        return None
    name = call.module.text(dicts[0])
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "argument": f"**{name}",
        "detail": ", ".join(f"`{key}`" for key in sorted(keys)),
    }
    return NotSpread(None, facts, context=context, node=call.node, given=dicts[0])


def spread(found: NotSpread) -> Drafts:
    """Pass the items of the dict as keywords."""
    yield Draft(found.module).certain().before(found.given, "**")


RULES = (Rule("dict-not-spread", raised(not_spread), spread),)
