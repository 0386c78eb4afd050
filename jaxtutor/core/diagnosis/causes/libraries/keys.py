"""Matches calls of libraries that lack a PRNG key, or pass it at another position."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.source import own_nodes
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import callee_root, method_of
from jaxtutor.core.diagnosis.reading.library_calls import is_key, package_called, place_of_call
from jaxtutor.core.diagnosis.reading.names import last_name

_NOT_A_KEY = re.compile(
    r"invalid PRNG key data|must be called with an RNG as the second argument"
    r"|Apply must be called with an RNG|Init must be called with an RNG"
)
_NO_KEY = re.compile(r"missing \d+ required .*'(rng_key|key|rng)'")


class WithoutKeyArgument(AtFrame, frozen=True, kw_only=True):
    """A call of a library that needs a key; `position` is where the key belongs."""

    position: int


def key_not_passed(context: FailureContext) -> AtFrame | None:
    """A function of a library draws random numbers, and its call passes no key."""
    frame = context.frame
    if frame is None:
        return None
    elsewhere = key_elsewhere(context)
    if elsewhere is not None:
        return elsewhere
    if _is_outside_handler(context):
        return _outside_handler(context, frame)
    path = frame.callee(context.call) or frame.dotted(callee_root(context.node)) or ""
    library = context.library or path.partition(".")[0] or package_called(frame, context.node)
    if library not in ("numpyro", "haiku", "blackjax", "distrax", "flax"):
        return None
    if _NO_KEY.search(context.message) is None and _NOT_A_KEY.search(context.message) is None:
        return None
    position = _haiku_position(context) if library == "haiku" else 0
    return _key_match(context, frame, _HAIKU_FORMS.get(position, ""), position)


_HAIKU_FORMS = {1: "haiku", 2: "haiku_state"}


def _haiku_position(context: FailureContext) -> int:
    """Return where `apply` takes its key: after the parameters, and after the state if any."""
    if method_of(context.node) != "apply":
        return 0
    return 2 if "third argument" in context.message else 1


def _key_match(
    context: FailureContext, frame: FrameContext, form: str, position: int
) -> WithoutKeyArgument:
    call = context.call
    facts = {"name": place_of_call(frame, call) if call is not None else ""}
    return WithoutKeyArgument(None, facts, form, context=context, position=position)


class ModelCalled(AtFrame, frozen=True, kw_only=True):
    """A call of a model of NumPyro, in the frame `caller`, that no handler is around."""

    caller: FrameContext
    model: ast.Call


def _outside_handler(context: FailureContext, frame: FrameContext) -> AtFrame:
    """Return the call of the model, or the site where no function of the learner's is a model."""
    site = _key_match(context, frame, "handler", 0)
    models = [n for n, f in enumerate(context.frames) if _has_sites(f)]
    caller = context.frames[models[0] - 1] if models and models[0] else None
    call = caller.node if caller is not None else None
    called = last_name(call.func) if isinstance(call, ast.Call) else ""
    model = context.frames[models[0]].function if models else None
    if caller is None or not isinstance(call, ast.Call) or called != name_of(model):
        return site
    facts = {**site.facts, "name": called}
    return ModelCalled(
        caller.place(call), facts, "handler", context=context, caller=caller, model=call
    )


def _has_sites(frame: FrameContext) -> bool:
    """Return whether a function of the learner's is a model: it has sites of its own."""
    calls = (
        (n for n in own_nodes(frame.function) if isinstance(n, ast.Call)) if frame.function else ()
    )
    paths = ("numpyro.sample", "numpyro.plate", "numpyro.deterministic", "numpyro.param")
    return any(frame.module.dotted(call.func) in paths for call in calls)


def _is_outside_handler(context: FailureContext) -> bool:
    """Return whether numpyro.sample ran where nothing handles it, and so got no key."""
    path = context.frame.callee(context.node) if context.frame is not None else None
    check = context.failure.check
    is_key_test = check is not None and check.condition.startswith("is_prng_key(")
    return context.error == "AssertionError" and path == "numpyro.sample" and is_key_test


class KeyElsewhere(AtCall, frozen=True, kw_only=True):
    """A call that passes the key at another position than the library expects it."""

    key: int
    expected: int


def key_elsewhere(context: FailureContext) -> KeyElsewhere | None:
    """A library takes the key first, and the call passes it after the data."""
    call = at_call(context)
    if call is None or not _SAYS_KEY.search(context.message):
        return None
    inside = {name.partition(".")[0] for name in context.failure.jax_frames}
    if not inside & _KEY_FIRST:
        return None
    facts = [call.frame.fact(a) for a in call.node.args]
    keys = [n for n, fact in enumerate(facts) if fact is not None and is_key(fact.detail)]
    expected = _haiku_position(context) if context.library == "haiku" else 0
    if len(keys) != 1 or keys[0] == expected or len(facts) <= expected:
        return None
    name = place_of_call(call.frame, call.node)
    given = call.module.text(call.node.args[keys[0]])
    return KeyElsewhere(
        None,
        {"name": name, "argument": given},
        _HAIKU_FORMS.get(expected, "order"),
        context=context,
        node=call.node,
        key=keys[0],
        expected=expected,
    )


_SAYS_KEY = re.compile(r"PRNG|\bRNGs?\b|rng")
_KEY_FIRST = frozenset({"flax", "haiku", "numpyro", "blackjax", "distrax"})
