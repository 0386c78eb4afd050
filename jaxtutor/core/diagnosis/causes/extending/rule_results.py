"""Matches rules of `custom_jvp` and `custom_vjp` whose result does not fit the function's."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.causes.extending.extension_rules import custom_rules
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of, result_place

_NAMED = re.compile(r"Custom (JVP|VJP fwd) rule (\S+) for function (\S+)")
_TANGENT = re.compile(r"Expected (\S+) \(tangent type of \S+\) but got (\S+?)\.?$", re.M)
_PRIMAL = re.compile(
    r"first element had (?:container/pytree structure|shapes/dtypes of):\n\s*(.*?)\n"
    r".*?:\n\s*(.*?)\.?$",
    re.S,
)


def no_pair(context: FailureContext) -> InContext | None:
    """A forward rule returns its result only, and nothing for the backward rule."""
    found = _rule(context)
    if found is None:
        return InContext(context=context)
    return InContext(result_place(*found), {"function": name_of(found[1])}, context=context)


def other_result(context: FailureContext) -> InContext | None:
    """A rule returns another structure, shape or dtype than the function, or no tangent of it."""
    found = _rule(context)
    if found is None:
        return None
    facts = {"function": name_of(found[1])}
    form = "no_pair" if "but got" in context.message else ""
    if (tangent := _TANGENT.search(context.message)) is not None:
        facts |= {"argument": tangent[1], "detail": tangent[2]}
        form = "tangent"
    elif (primal := _PRIMAL.search(context.message)) is not None:
        facts |= {"argument": " ".join(primal[2].split()), "detail": " ".join(primal[1].split())}
        form = "primal"
    return InContext(result_place(*found), facts, form, context=context)


def _rule(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    """Return the rule that a message names, that of the function that was called, or the only."""
    said = _NAMED.search(context.message)
    is_jvp = said is None or said[1] == "JVP"
    rules = [
        (module, registered, rule)
        for module in context.modules.values()
        for registered, position, rule in custom_rules(module)
        if (registered.attr == "defjvp") is is_jvp and position == 0
    ]
    named = [item for item in rules if said is not None and name_of(item[2]) == said[2]]
    if said is None and len(rules) > 1:
        called = path_of(context.call.func) if context.call is not None else None
        named = [item for item in rules if called and path_of(item[1].value) == called]
        rules = []
    chosen = named or rules
    return (chosen[0][0], chosen[0][2]) if len(chosen) == 1 else None


RULES = (
    Rule("custom-vjp-fwd-no-pair", raised(no_pair), before=("custom-rule-result",)),
    Rule("custom-rule-result", raised(other_result)),
)
