"""Matches and fixes labels that a metric of NNX refuses because they are floats."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.reading.calls import keyword_value

_FLOATS = re.compile(r"^Expected labels\.dtype==jnp\.int32, got (float\d+)")


class MetricLabels(AtCall, frozen=True, kw_only=True):
    """A call of `update` whose labels are class numbers as floats."""

    labels: ast.expr


def float_labels(context: FailureContext) -> MetricLabels | None:
    """A metric that counts right answers gets labels that are floats."""
    call, said = at_call(context), _FLOATS.search(context.message)
    labels = keyword_value(call.node, "labels") if call is not None else None
    if call is None or said is None or labels is None:
        return None
    facts = {"name": call.module.text(labels), "detail": said[1]}
    return MetricLabels(None, facts, "metric", context=context, node=call.node, labels=labels)


def whole_labels(found: MetricLabels) -> Drafts:
    """Convert the labels to integers where they are passed."""
    draft = Draft(found.module)
    yield draft.after(found.labels, f".astype({draft.name('jax.numpy.int32')})")
