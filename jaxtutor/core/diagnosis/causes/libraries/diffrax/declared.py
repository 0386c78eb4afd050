"""Matches and fixes arguments where a library's signature declares an object of its own classes."""

from __future__ import annotations

import ast

from jaxtutor.core.data.failures import UnfitArgument
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import passed_arguments

_MOST_NAMED = 5
_MADE_FROM = {
    ("SaveAt", "list"): "diffrax.SaveAt(ts={})",
    ("SaveAt", "array"): "diffrax.SaveAt(ts={})",
    ("SaveAt", "tracer"): "diffrax.SaveAt(ts={})",
    ("SaveAt", "ndarray"): "diffrax.SaveAt(ts={})",
    ("Event", "function"): "diffrax.Event({})",
}
"""The call that gives an object of a class for a value of another kind, if it is clear."""


class OtherKind(AtCall, frozen=True, kw_only=True):
    """An argument that is not an object of the class that the signature declares.

    `made` is the expression to write in its place, if it is known.
    """

    given: ast.expr
    made: str = ""


def plain_value(context: FailureContext) -> OtherKind | None:
    """An array, a number, a text or a function stands where a library takes one of its objects."""
    call = at_call(context)
    refused = [item for item in context.failure.unfit if item.classes]
    if call is None or len(refused) != 1:
        return None
    item, parts = refused[0], passed_arguments(call.node)
    given = next((p for p in parts if call.module.text(p) == item.given), None)
    if given is None:
        return None
    library = call.path.partition(".")[0]
    made = _MADE_FROM.get((item.declared, _argument_kind(call, given)), "").format(item.given)
    facts = {
        "name": " ".join(item.given.split()),
        "function": call.module.text(call.node.func),
        "argument": item.parameter,
        "detail": item.said,
        "container": f"{library}.{item.declared}",
        "condition": made or _offered(item, library),
    }
    form = "made" if made else "" if item.classes == (item.declared,) else "several"
    return OtherKind(
        call.frame.place(given),
        facts,
        form,
        context=context,
        node=call.node,
        given=given,
        made=made,
    )


def _argument_kind(call: AtCall, given: ast.expr) -> str:
    """Return the kind of an argument: of a name, or of what the call computes in it."""
    kind = call.frame.kind(given)
    passed = {fact.name: fact.kind for fact in call.context.failure.passed}
    computed = passed.get(call.module.text(given), "")
    return kind or computed or ("list" if isinstance(given, ast.List) else "")


def _offered(item: UnfitArgument, library: str) -> str:
    """Name classes of which an object fits."""
    return ", ".join(f"`{library}.{name}`" for name in item.classes[:_MOST_NAMED])


def make_object(found: OtherKind) -> Drafts:
    """Make the object from the value."""
    path, _, rest = found.made.partition("(")
    if path:
        draft = Draft(found.module).certain()
        yield draft.replace(found.given, f"{draft.name(path)}({rest}")


RULES = (Rule("plain-value-for-object", raised(plain_value), make_object),)
