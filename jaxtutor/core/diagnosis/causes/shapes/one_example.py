"""Matches and fixes layers of Equinox that take one example and are given a batch."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of

_SHAPES = re.compile(r"Received `shape=\(([\d, ]*)\) and `x\.shape=\(([\d, ]*)\)")
_SCALAR = "should be called with a scalar index"


class BatchToLayer(AtCall, frozen=True, kw_only=True):
    """A call of a layer with `axes` axes too many.

    `model` is the call outside of all models that passes the batch, if that is another one.
    """

    axes: int
    model: tuple[FrameContext, ast.Call] | None


def batch_to_layer(context: FailureContext) -> BatchToLayer | None:
    """A normalization or embedding of Equinox gets one or more leading axes too many."""
    frame, call = context.frame, context.call
    if frame is None or call is None or not call.args:
        return None
    axes = _extra_axes(context, frame, call.args[0])
    if not axes or not is_module_of("equinox", frame, call.func):
        return None
    text = frame.module.text
    mapped, name = _wrapped("jax.vmap", text(call.func), axes), text(call.func)
    facts = {"name": name, "argument": text(call.args[0])}
    facts["condition"] = f"{mapped}({text(call.args[0])})"
    return BatchToLayer(
        frame.place(call),
        facts,
        context=context,
        node=call,
        axes=axes,
        model=_model_call(context, call),
    )


def _extra_axes(context: FailureContext, frame: FrameContext, given: ast.expr) -> int:
    """Return how many axes the input has before those that the layer takes."""
    said = _SHAPES.search(context.message)
    if said is not None:
        taken, got = (re.findall(r"\d+", sizes) for sizes in said.groups())
        return len(got) - len(taken) if got[-len(taken) :] == taken else 0
    if _SCALAR not in context.message:
        return 0
    fact = frame.fact(given)
    return len(re.findall(r"\d+", fact.detail.partition("[")[2])) if fact is not None else 1


def _model_call(context: FailureContext, layer: ast.Call) -> tuple[FrameContext, ast.Call] | None:
    """Return the outermost call of a model, unless it is the layer's or passes other arguments."""
    for frame in context.frames:
        call = frame.node
        if isinstance(call, ast.Call) and is_module_of("equinox", frame, call.func):
            is_plain = len(call.args) == 1 and not call.keywords
            return (frame, call) if call is not layer and is_plain else None
    return None


def _wrapped(vmap: str, function: str, axes: int) -> str:
    return f"{vmap}(" * axes + function + ")" * axes


def map_layer(found: BatchToLayer) -> Drafts:
    """Map the layer over the axes that it does not take, or the whole model over its batch."""
    calls = [(found.frame, found.node), *([found.model] if found.model is not None else [])]
    # A method that maps other layers goes over the parts of one example, such as tokens.
    maps_layers = "vmap" in found.module.text(found.frame.function or found.node)
    for frame, call in calls if maps_layers else reversed(calls):
        draft = Draft(frame.module).certain()
        function = _wrapped(draft.name("jax.vmap"), frame.module.text(call.func), found.axes)
        yield draft.replace(call.func, function)


RULES = (Rule("layer-takes-one-example", raised(batch_to_layer), map_layer),)
