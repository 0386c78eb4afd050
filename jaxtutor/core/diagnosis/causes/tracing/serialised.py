"""Matches and fixes arrays that are written to JSON, or used as keys of a dict."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import keyword_of

_KIND = re.compile(r"Object of type (\w+) is not JSON serializable")
_WRITERS = ("json.dump", "json.dumps")


class ArrayInJson(AtCall, frozen=True, kw_only=True):
    """A call of `json.dump` or `json.dumps` for data that hold arrays."""


def array_in_json(context: FailureContext) -> ArrayInJson | None:
    """Arrays, or numbers of NumPy, are written to JSON."""
    call, said = at_call(context), _KIND.search(context.message)
    if call is None or said is None or call.path not in _WRITERS:
        return None
    if keyword_of(call.node, "default") is not None or not call.node.args:
        return None
    given = call.module.text(call.node.args[0])
    facts = {"name": said[1], "argument": given, "function": call.module.text(call.node.func)}
    return ArrayInJson(None, facts, context=context, node=call.node)


def convert_arrays(found: ArrayInJson) -> Drafts:
    """Let JSON convert what it does not know to lists and numbers."""
    option = "default=lambda value: value.tolist()"
    yield add_argument(Draft(found.module), found.node, option).certain()


class ArrayKey(AtFrame, frozen=True, kw_only=True):
    """An array in the place of a key, in `holder[key]`."""

    key: ast.expr


def array_as_key(context: FailureContext) -> ArrayKey | None:
    """A dict is given an array as its key, which has no hash."""
    frame = context.frame
    node = frame.node if frame is not None else None
    if (
        frame is None
        or not isinstance(node, ast.Subscript)
        or not _is_scalar_array(frame, node.slice)
    ):
        return None
    name = frame.module.text(node.slice)
    fact = frame.fact(node.slice)
    facts = {
        "name": name,
        "aval": fact.detail if fact is not None else "",
        "container": frame.module.text(node.value),
        "argument": f"{frame.module.text(node.value)}[{name}.item()]",
    }
    return ArrayKey(None, facts, context=context, key=node.slice)


def _is_scalar_array(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    return fact is not None and fact.kind == "array" and fact.detail.endswith("[]")


def item_as_key(found: ArrayKey) -> Drafts:
    """Use the number that the array holds."""
    yield Draft(found.module).certain().after(found.key, ".item()")


RULES = (
    Rule("array-as-key", raised(array_as_key), item_as_key),
    Rule("array-in-json", raised(array_in_json), convert_arrays),
)
