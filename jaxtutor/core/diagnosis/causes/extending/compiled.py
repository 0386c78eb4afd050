"""Matches and fixes calls of compiled programs that also pass the static arguments."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import without_arguments
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.library_calls import known_fact

_COUNTS = re.compile(r"at args, seen .*? with (\d+) child.*? given .*? with (\d+) child")
_KEYS = re.compile(r"at kwargs, .*symmetric difference of key sets: \{(.*?)\}", re.S)


class StaticPassed(AtCall, frozen=True, kw_only=True):
    """A call of a compiled program, with the arguments that are part of the program already."""

    static: tuple[ast.expr | ast.keyword, ...]


def other_arguments(context: FailureContext) -> AtCall | None:
    """A compiled program is called with other arguments than it was compiled for."""
    call = at_call(context)
    if call is None or "input pytree" not in context.message:
        return call
    static = tuple(_static(context, call))
    if not static:
        return at_call(context, {"name": call.module.text(call.node.func)})
    facts = {
        "name": call.module.text(call.node.func),
        "argument": ", ".join(call.module.text(a) for a in static),
    }
    return StaticPassed(None, facts, "static", context=context, node=call.node, static=static)


def _static(context: FailureContext, call: AtCall) -> list[ast.expr | ast.keyword]:
    """List the arguments that a call passes and that the program does not take."""
    keys, counts = _KEYS.search(context.message), _COUNTS.search(context.message)
    names = set(re.findall(r"'(\w+)'", keys[1])) if keys is not None else set()
    found: list[ast.expr | ast.keyword] = [k for k in call.node.keywords if k.arg in names]
    if counts is None:
        return found
    plain = [a for a in call.node.args if _is_static_value(context, call, a)]
    return [*plain, *found] if len(plain) == int(counts[2]) - int(counts[1]) else []


def _is_static_value(context: FailureContext, call: AtCall, node: ast.expr) -> bool:
    """Return whether an argument is a Python value, as static arguments are."""
    fact = known_fact(context, call.frame, node)
    is_known = fact is not None and fact.kind in ("number", "bool", "str", "function", "none")
    return isinstance(node, ast.Constant | ast.Lambda) or is_known


def leave_out(found: AtCall) -> Drafts:
    """Call the program without its static arguments."""
    if isinstance(found, StaticPassed):
        text = without_arguments(found.module, found.node, found.static)
        yield Draft(found.module).replace(found.node, text)


RULES = (Rule("compiled-for-other-types", raised(other_arguments), leave_out),)
