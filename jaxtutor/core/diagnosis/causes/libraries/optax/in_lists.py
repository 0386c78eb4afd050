"""Matches and fixes one list in a call of a library that takes its parts as separate arguments."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, InContext, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import calls_of

_TAKE_PARTS = ("diffrax.MultiTerm", "flax.nnx.Sequential")
"""Classes that keep what they are given, and fail when it is used."""


class InList(InContext, frozen=True, kw_only=True):
    """A call that gets in one list what it takes as separate arguments."""

    module: Module
    items: ast.expr


def arguments_in_list(context: FailureContext) -> InList | None:
    """Transformations are passed to `optax.chain` in a list, or parts to an object that fails."""
    call = at_call(context)
    path = call.path if call is not None else ""
    if call is not None and path.startswith("optax.") and path.endswith(".chain"):
        return _in_chain(call)
    made = [
        (module, node)
        for module in context.modules.values()
        for node in calls_of(module, *_TAKE_PARTS)
    ]
    lists = [(module, node) for module, node in made if _takes_list(node)]
    is_inside = bool(context.failure.jax_frames) and "'list' object" in context.message
    return _in_list(context, *lists[0]) if len(lists) == 1 and is_inside else None


def _takes_list(call: ast.Call) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0], ast.List | ast.ListComp)


def _in_chain(call: AtCall) -> InList | None:
    if len(call.node.args) != 1:
        return None
    is_list = isinstance(call.node.args[0], ast.List | ast.Tuple | ast.ListComp)
    if not is_list and call.frame.kind(call.node.args[0]) not in ("list", "tuple"):
        return None
    return _in_list(call.context, call.module, call.node)


def _in_list(context: FailureContext, module: Module, call: ast.Call) -> InList:
    given = call.args[0]
    facts = {"name": module.text(given), "function": module.text(call.func)}
    return InList(module.location(call), facts, context=context, module=module, items=given)


def spread_list(found: InList) -> Drafts:
    """Pass the items of the list one by one."""
    module, items = found.module, found.items
    if isinstance(items, ast.List) and items.elts and "\n" not in module.text(items):
        inside = module.text(items)[1:-1].strip().rstrip(",")
        yield Draft(module).certain().replace(items, inside)
    else:
        yield Draft(module).certain().before(items, "*")


RULES = (Rule("arguments-in-a-list", raised(arguments_in_list), spread_list),)
