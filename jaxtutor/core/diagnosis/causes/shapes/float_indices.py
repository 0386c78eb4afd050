"""Matches and fixes indices that are floats."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.shapes import metric_labels
from jaxtutor.core.diagnosis.causes.shapes.loss_labels import (
    is_loss_of_labels,
    labels_of_other_loss,
    other_loss,
)
from jaxtutor.core.diagnosis.causes.shapes.metric_labels import whole_labels
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.library_calls import library_call, place_of_call

_MODEL_CALLS = ("apply", "apply_fn", "init", "init_with_output", "lazy_init")


def index_of_floats(context: FailureContext) -> AtFrame | None:
    """An embedding, or an array, is indexed with floats."""
    frame = context.frame
    if frame is None:
        return None
    if context.call is not None and is_loss_of_labels(frame, context.call):
        return labels_of_other_loss(context, frame, context.call)
    if (refused := metric_labels.float_labels(context)) is not None:
        return refused
    outer = library_call(context, *_MODEL_CALLS) if context.library == "flax" else None
    here, call = outer if outer is not None else (frame, context.call)
    facts = {"function": place_of_call(here, call) if call is not None else ""}
    place = here.place(call) if outer is not None and call is not None else None
    form = "embed" if context.library == "flax" else ""
    return AtFrame(place, facts, form, context=context)


def whole_indices(found: AtFrame) -> Drafts:
    """Convert an index to integers where it is used."""
    node = found.at
    if isinstance(node, ast.Subscript) and path_of(node.slice) is not None:
        yield Draft(found.module).after(node.slice, ".astype(int)")


RULES = (
    Rule(
        "float-as-index", raised(index_of_floats), by_match(whole_indices, other_loss, whole_labels)
    ),
)
