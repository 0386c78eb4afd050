"""Matches and fixes texts that are passed to a compiled function which computes with them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.tracing.static_arguments import unreadable_argument
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.source import FunctionNode
from jaxtutor.core.diagnosis.engine.transforms import find, name_of
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


class TextArgument(AtCall, frozen=True, kw_only=True):
    """A call of a compiled function, and the text that it passes for a number."""

    given: ast.expr


def text_for_operand(context: FailureContext) -> TextArgument | None:
    """A compiled function is given a text, and computes with that parameter."""
    refused, call = unreadable_argument(context), at_call(context)
    if call is None or refused is None or refused[0] not in ("str", "builtins.str"):
        return None
    jit = find(context, "jit")
    function, name = jit.function if jit is not None else None, refused[1]
    if function is None or name not in set(parameter_names(function)):
        return None
    given = argument_for(function, call.node, name)
    if given is None or isinstance(given, ast.Constant) or not _computes_with(function, name):
        return None
    facts = {"name": call.module.text(given), "argument": name, "function": name_of(function)}
    return TextArgument(
        call.module.location(given),
        facts,
        "parameter",
        context=context,
        node=call.node,
        given=given,
    )


def _computes_with(function: FunctionNode, name: str) -> bool:
    """Return whether a parameter is an operand of a calculation."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, _ARITHMETIC)
        and any(isinstance(o, ast.Name) and o.id == name for o in (node.left, node.right))
        for node in ast.walk(function)
    )


def convert_argument(found: TextArgument) -> Drafts:
    """Convert the text where it is passed: a calculation has no use for a text."""
    yield Draft(found.module).certain().wrap(found.given, "float(", ")")
