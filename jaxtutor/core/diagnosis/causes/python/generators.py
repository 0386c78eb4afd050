"""Matches and fixes a generator of keys that is passed where one of its keys belongs."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python import key_arrays as keys
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.library_calls import given_values

_GENERATOR = re.compile(r"<class '(?:generator|itertools\.\w+|list_iterator|\w*_?iterator)'>")


class KeyGenerator(AtFrame, frozen=True, kw_only=True):
    """The expression that hands over a generator of keys, in the frame that does."""

    given: ast.expr
    source: FrameContext


def not_a_key(context: FailureContext) -> AtFrame | None:
    """Something else stands where a function of jax.random takes a key: a generator, or another."""
    return generator_of_keys(context) or keys.not_a_key(context)


def generator_of_keys(context: FailureContext) -> KeyGenerator | None:
    """A generator that yields keys stands in the place of a key."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or not call.node.args:
        return None
    if _GENERATOR.search(context.message) is None:
        return None
    source, given = _outermost_source(context, call.frame, call.node.args[0])
    facts = {"name": source.module.text(given), "function": call.path}
    return KeyGenerator(
        source.place(given), facts, "generator", context=context, given=given, source=source
    )


def _outermost_source(
    context: FailureContext, frame: FrameContext, node: ast.expr
) -> tuple[FrameContext, ast.expr]:
    """Follow a parameter to the outermost call that passes it on."""
    for value in given_values(context, frame, node):
        for outer in context.frames:
            call = outer.node
            if isinstance(call, ast.Call) and value in passed_arguments(call):
                frame, node = outer, value
                break
        else:
            break
    return frame, node


def pass_key(found: AtFrame) -> Drafts:
    """Pass a key: the next of a generator, or one that is made or in sight."""
    return keys.key_first(found) if isinstance(found, AtCall) else ()


def _next_key(found: KeyGenerator) -> Drafts:
    yield Draft(found.source.module).certain().wrap(found.given, "next(", ")")


RULES = (Rule("not-a-key", raised(not_a_key), by_match(pass_key, _next_key)),)
