"""Matches the causes in calls of Haiku: state, transformed functions, modules inside JAX."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call, at_frame
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values, place_of_call
from jaxtutor.core.diagnosis.reading.library_calls import is_key as is_key_type
from jaxtutor.core.diagnosis.reading.values import is_none


class WithoutState(AtCall, frozen=True, kw_only=True):
    """A call of `apply` without the state; `made` is where `init` returned it."""

    made: ast.Assign | None


class KeyBeforeState(AtCall, frozen=True, kw_only=True):
    """A call of `apply` with the key where the state belongs, and the state after it."""


def haiku_state_missing(context: FailureContext) -> AtCall | None:
    """Both trees that init returns are passed as the parameters, or the key before the state."""
    call = at_call(context)
    is_gradient = "grad requires" in context.message
    if call is None or not call.node.args or not (is_gradient or context.library == "haiku"):
        return None
    if context.message.startswith("state argument") and (swapped := _key_first(call)) is not None:
        return swapped
    if is_gradient and not _is_pair(context, call.frame, call.node.args[0]):
        return None
    made = None
    for given in given_values(context, call.frame, call.node.args[0]):
        statement = call.module.parents.get(given)
        is_init = isinstance(given, ast.Call) and method_of(given) == "init"
        if is_init and isinstance(statement, ast.Assign):
            made = statement if isinstance(statement.targets[0], ast.Name) else None
    facts = {"name": place_of_call(call.frame, call.node)}
    if is_gradient:
        if made is None:
            return None
        facts["name"] = call.module.text(made.value).partition("(")[0]
        facts["argument"] = call.module.text(made.targets[0])
    place = call.module.location(made) if made is not None else None
    return WithoutState(
        place, facts, "gradient" if is_gradient else "", context=context, node=call.node, made=made
    )


def _key_first(call: AtCall) -> KeyBeforeState | None:
    """Match `apply(params, key, state, …)`: a key or None second, and a mapping third."""
    given = call.node.args[1:3]
    if len(given) < 2 or any(isinstance(a, ast.Starred) for a in call.node.args[:3]):
        return None
    key, state = given
    fact = call.frame.fact(key)
    is_key = fact is not None and (fact.kind == "none" or is_key_type(fact.detail))
    if not (is_key or is_none(key)) or call.frame.kind(state) not in ("dict", "other"):
        return None
    facts = {
        "name": place_of_call(call.frame, call.node),
        "detail": f"{call.module.text(key)}, {call.module.text(state)}",
        "argument": f"{call.module.text(state)}, {call.module.text(key)}",
    }
    return KeyBeforeState(None, facts, "swapped", context=call.context, node=call.node)


def _is_pair(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a value is the pair that `init` of a function with state returned."""
    named = {
        module.dotted(call.func) for module in context.modules.values() for call in module.calls
    }
    return frame.kind(node) == "tuple" and "haiku.transform_with_state" in named


HAIKU_HAS = ("scan", "cond", "switch", "fori_loop", "while_loop", "map", "grad", "remat")


class InsideHaiku(AtFrame, frozen=True, kw_only=True):
    """A transformation of JAX inside a function of Haiku; `node` names it."""

    node: ast.expr
    module_of: Module


def inside_haiku(context: FailureContext) -> InsideHaiku | None:
    """A transformation of JAX is applied around modules of Haiku."""
    frame = context.frame
    found = [
        (module, item.node)
        for module in context.modules.values()
        for item in applied(module)
        if not item.is_decorator and isinstance(module.scope(item.node), ast.FunctionDef)
        if isinstance(item.node, ast.Call) and _makes_modules(module, module.scope(item.node))
    ]
    if frame is None or len(found) != 1:
        return None
    module, node = found[0]
    return InsideHaiku(module.location(node), {}, context=context, node=node.func, module_of=module)


def _makes_modules(module: Module, function: ast.AST) -> bool:
    """Return whether a function makes a module of Haiku."""
    calls = (n for n in calls_in(function))
    return any((module.dotted(n.func) or "").startswith("haiku.") for n in calls)


def haiku_state(context: FailureContext) -> AtFrame | None:
    """A function with state is transformed by hk.transform."""
    frame = context.frame
    found = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if (module.dotted(node.func) or "") == "haiku.transform"
    ]
    if frame is None or len(found) != 1:
        return at_frame(context)
    module, node = found[0]
    place = module.location(node)
    return AtFrame(place, {}, context=context)
