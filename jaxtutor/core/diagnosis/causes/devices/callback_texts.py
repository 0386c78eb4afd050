"""Matches and fixes callbacks that are given a text: JAX passes arrays to the host."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, without_arguments
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

# The number of arguments before those of the callback.
_CALLBACKS = {
    "jax.pure_callback": 2,
    "jax.experimental.io_callback": 2,
    "jax._src.callback.pure_callback": 2,
    "jax._src.callback.io_callback": 2,
    "jax.debug.callback": 1,
    "jax._src.debugging.debug_callback": 1,
}


class GivenTexts(AtCall, frozen=True, kw_only=True):
    """A callback, the arguments that it is called with, and the `texts` among them."""

    given: tuple[ast.expr, ...]
    texts: tuple[ast.expr | ast.keyword, ...]


def text_passed(context: FailureContext) -> GivenTexts | None:
    """A callback is passed a text beside its arrays."""
    call = at_call(context)
    start = _CALLBACKS.get(call.path) if call is not None else None
    if call is None or start is None or any(isinstance(a, ast.Starred) for a in call.node.args):
        return None
    given = tuple(call.node.args[start:])
    texts = tuple(a for a in given if _is_string_value(call, a))
    named = tuple(k for k in call.node.keywords if k.arg and _is_string_value(call, k.value))
    if not texts and not named:
        return None
    shown = [*texts, *(k.value for k in named)]
    facts = {
        "name": call.module.text(call.node.func),
        "function": call.module.text(call.node.args[0]),
        "argument": ", ".join(f"`{call.module.text(text)}`" for text in shown),
        "condition": call.module.text(shown[0]),
    }
    return GivenTexts(
        None, facts, context=context, node=call.node, given=given, texts=(*texts, *named)
    )


def _is_string_value(call: AtCall, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        return isinstance(node, ast.JoinedStr) or isinstance(node.value, str)
    return call.frame.kind(node) == "str"


def bind_texts(found: GivenTexts) -> Drafts:
    """Bind the texts to the function before it is passed."""
    module, function = found.module, found.node.args[0]
    draft = Draft(module).certain()
    text = module.text(function)
    count = sum(isinstance(part, ast.expr) for part in found.texts)
    if found.given[:count] == found.texts[:count]:
        bound = ", ".join([text, *map(module.text, found.texts)])
        binding = f"{draft.name('functools.partial')}({bound})"
    else:
        names = {
            a: a.id if isinstance(a, ast.Name) else fresh_name(module, "value")
            for a in found.given
            if a not in found.texts
        }
        passed = [names.get(a, module.text(a)) for a in found.given]
        named = [module.text(k) for k in found.texts if isinstance(k, ast.keyword)]
        if len(set(names.values())) < len(names):
            return
        binding = f"lambda {', '.join(names.values())}: {text}({', '.join([*passed, *named])})"
    called = without_arguments(module, found.node, (*found.texts, function))
    start = called.index("(", len(module.text(found.node.func))) + 1
    yield draft.replace(found.node, f"{called[:start]}{binding}, {called[start:]}")


RULES = (Rule("callback-given-text", raised(text_passed), bind_texts),)
