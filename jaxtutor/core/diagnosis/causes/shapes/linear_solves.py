"""Matches and fixes batched linear systems whose right sides are vectors."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument


class BatchedVectors(AtCall, frozen=True, kw_only=True):
    """A call of `solve` whose right side is one vector for each matrix."""

    right: ast.expr


def batched_vectors(context: FailureContext) -> BatchedVectors | None:
    """A batch of matrices is solved for a batch of vectors, which is taken for a matrix."""
    call = at_call(context)
    right = argument(call.node, 1, "b") if call is not None else None
    if call is None or right is None or not call.path.endswith("linalg.solve"):
        return None
    func, text = call.module.text(call.node.func), atom(call.module, right)
    facts = {
        "name": call.module.text(right),
        "argument": f"{func}(…, {text}[..., None])[..., 0]",
    }
    return BatchedVectors(None, facts, context=context, node=call.node, right=right)


def add_column(found: BatchedVectors) -> Drafts:
    """Make each vector a matrix of one column, and take the column out of the solution."""
    text = atom(found.module, found.right)
    draft = Draft(found.module).certain().replace(found.right, f"{text}[..., None]")
    yield draft.after(found.node, "[..., 0]")


RULES = (Rule("solve-batched-vectors", raised(batched_vectors), add_column),)
