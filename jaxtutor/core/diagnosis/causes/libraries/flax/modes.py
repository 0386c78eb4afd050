"""Matches and fixes layers whose mode is not set, or set twice: `deterministic`, `decode`."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, without_keyword
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import given_values

_MISSING = re.compile(r'"(use_running_average|deterministic)"')
_TWICE = re.compile(r'Parameter "(\w+)" was passed to the constructor and at call time')
_OF_NNX = re.compile(r"No `(\w+)` argument was provided to")
_FLAGS = ("train", "training", "is_training")


class UnclearMode(AtFrame, frozen=True, kw_only=True):
    """A layer without its flag, or with two; `made` is the call that made the layer."""

    made: ast.Call | None


def mode_unclear(context: FailureContext) -> UnclearMode | None:
    """A layer that has a mode gets no flag, or gets one where it is made and where it is called."""
    forms = {"": _MISSING, "twice": _TWICE, "nnx": _OF_NNX}
    said = {form: found for form, text in forms.items() if (found := text.search(context.message))}
    frame = context.frame
    if frame is None or not said:
        return None
    form, found = next((f, m) for f, m in reversed(said.items()))
    made = _layer_constructor(context, frame)
    option = keyword_of(made, found[1]) if made is not None and form == "twice" else None
    node = frame.node
    while isinstance(node, ast.Call):
        node = node.func
    name = frame.module.text(node) if isinstance(node, ast.Name | ast.Attribute) else "the layer"
    detail = f"{found[1]}=not train" if form == "" else f"{found[1]}=False"
    facts = {"argument": found[1], "name": name, "detail": detail}
    shown = option if option is not None else made if form == "nnx" else None
    place = frame.module.location(shown) if shown is not None else None
    return UnclearMode(place, facts, form, context=context, made=made)


def _layer_constructor(context: FailureContext, frame: FrameContext) -> ast.Call | None:
    """Return the call that made the layer which was called, if it stands in the same file."""
    call = frame.node
    if not isinstance(call, ast.Call):
        return None
    calls = [n for n in given_values(context, frame, call.func) if isinstance(n, ast.Call)]
    return calls[-1] if calls and calls[-1] in frame.module.parents else None


def set_mode(found: UnclearMode) -> Drafts:
    """Set the flag once: by the method's own flag, or where only the call sets it."""
    if found.form == "":
        yield from _pass_flag(found)
    elif found.made is not None and found.form == "nnx":
        draft = add_argument(Draft(found.module), found.made, found.facts["detail"])
        is_cached = any("init_cache" in m.source for m in found.context.modules.values())
        yield draft if is_cached or found.facts["argument"] != "decode" else draft.certain()
    elif found.made is not None:
        option = keyword_of(found.made, found.facts["argument"])
        if option is not None:
            text = without_keyword(found.module, found.made, option)
            yield Draft(found.module).certain().replace(found.made, text)


def _pass_flag(found: UnclearMode) -> Drafts:
    call, name = found.call, found.facts["argument"]
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Call):
        call = call.func
    given = set(parameter_names(found.frame.function))
    flags = [f for f in _FLAGS if f in given]
    value = name if name in given else f"not {flags[0]}" if flags else ""
    if isinstance(call, ast.Call) and value:
        yield add_argument(Draft(found.module).certain(), call, f"{name}={value}")


RULES = (Rule("layer-mode-missing", raised(mode_unclear), set_mode),)
