"""Matches and fixes calls of the result of a function that takes those arguments itself."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.names import last_part

_NOT_CURRIED = ("jax.eval_shape", "jax.vjp", "jax.jvp", "jax.linearize")


class Curried(AtCall, frozen=True, kw_only=True):
    """A call whose result is called, although it takes those arguments itself."""

    outer: ast.Call | None


def curried(context: FailureContext) -> Curried | None:
    """A transformation that takes the arguments itself is called with the function alone."""
    found = called_result(context)
    is_one = found is not None and found.path in _NOT_CURRIED and len(found.node.args) == 1
    return replace(found, facts={"function": found.path}) if found is not None and is_one else None


def operands_missing(context: FailureContext) -> Curried | None:
    """A cond or switch is given functions of an argument, and no operands for them."""
    found = called_result(context)
    if found is None or found.path not in ("jax.lax.cond", "jax.lax.switch"):
        return None
    fewest = {"jax.lax.cond": 3, "jax.lax.switch": 2}[found.path]
    has_none = len(found.node.args) == fewest and not found.node.keywords
    is_own = _is_own(context, context.message.partition("(")[0])
    if not has_none or (is_own and found.outer is None):
        return None  # `wrong-arity` covers functions of the learner, unless the result is called
    return replace(found, facts={"function": found.path})


def _is_own(context: FailureContext, name: str) -> bool:
    """Return whether a function of the learner's files has a name."""
    name = last_part(name)
    functions = (f for module in context.modules.values() for f in module.functions)
    return any(getattr(f, "name", "<lambda>") == name for f in functions)


def called_result(context: FailureContext) -> Curried | None:
    """Return the call at fault, and the call of its result if it is called at once."""
    call = at_call(context)
    if call is None:
        return None
    parent = call.module.parents.get(call.node)
    outer = parent if isinstance(parent, ast.Call) and parent.func is call.node else None
    return Curried(None, {}, context=context, node=call.node, outer=outer)


def merge_calls(found: Curried) -> Drafts:
    """Pass the arguments in the same call as the function."""
    if found.outer is not None and found.path != "jax.jvp":
        yield _merged(found)


def merge_branching(found: Curried) -> Drafts:
    """Pass the operands in the call of the cond or switch."""
    if found.outer is not None:
        yield _merged(found)


def _merged(found: Curried) -> Draft | None:
    outer, module = found.outer, found.module
    if outer is None or not (outer.args or outer.keywords):
        return None
    inside = [module.text(a) for a in found.node.args]
    passed = [module.text(a) for a in outer.args]
    named = [module.text(k) for k in (*found.node.keywords, *outer.keywords)]
    function = module.text(found.node.func)
    text = f"{function}({', '.join([*inside, *passed, *named])})"
    return Draft(module).replace(outer, text).certain()


RULES = (
    Rule("transform-not-curried", raised(curried), merge_calls),
    Rule("branch-operands-missing", raised(operands_missing), merge_branching),
)
