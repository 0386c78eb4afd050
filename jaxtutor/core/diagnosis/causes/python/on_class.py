"""Matches and fixes a method that is called on a class, where it needs an object."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


class OnClass(AtCall, frozen=True, kw_only=True):
    """A call of a method on the class itself; `owner` names the class."""

    owner: ast.expr


def method_on_class(context: FailureContext) -> OnClass | None:
    """A method is called on the class, so its first argument is taken for the object."""
    call, signature = at_call(context), context.failure.signature
    func = call.node.func if call is not None else None
    if call is None or not isinstance(func, ast.Attribute) or signature[:1] != ("self",):
        return None
    first = call.node.args[0] if call.node.args else None
    owner = call.frame.dotted(func.value)
    fact = call.frame.fact(first)
    if call.frame.kind(func.value) != "class" or getattr(first, "id", "") in ("self", "cls"):
        return None
    if fact is not None and owner in fact.bases:
        return None
    name = call.module.text(func.value)
    facts = {
        "name": name,
        "function": func.attr,
        "argument": call.module.text(first) if first is not None else "nothing",
        "detail": f"({', '.join(signature[1:])})",
    }
    return OnClass(
        call.frame.place(call.node), facts, context=context, node=call.node, owner=func.value
    )


def make_object(found: OnClass) -> Drafts:
    """Call the method on an object that is made with the defaults of the class."""
    yield Draft(found.module).certain().after(found.owner, "()")


RULES = (Rule("method-called-on-class", raised(method_on_class), make_object),)
