"""Matches and fixes seeds that are not whole numbers."""

from __future__ import annotations

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument

_MAKERS = ("jax.random.key", "jax.random.PRNGKey")


def seed_not_whole(context: FailureContext) -> AtCall | None:
    """A key is made from a float."""
    found = at_call(context)
    seed = argument(found.node, 0, "seed") if found is not None else None
    if found is None or seed is None or found.path not in _MAKERS:
        return None
    facts = {"argument": found.module.text(seed), "name": found.module.text(found.node.func)}
    return AtCall(None, facts, context=context, node=found.node)


def whole_seed(found: AtCall) -> Drafts:
    """Round the seed down."""
    seed = argument(found.node, 0, "seed")
    if seed is not None:
        yield Draft(found.module).wrap(seed, "int(", ")")


RULES = (Rule("seed-not-integer", raised(seed_not_whole), whole_seed),)
