"""Matches and fixes random steps of Grain's pipelines that have no seed."""

from __future__ import annotations

import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import keyword_of, method_of

_STEP = re.compile(r"`(\w+)` requires a seed")


def no_seed(context: FailureContext) -> AtCall | None:
    """A pipeline shuffles, or draws random numbers, without a seed."""
    call, said = at_call(context), _STEP.search(context.message)
    if call is None or said is None or method_of(call.node) != said[1]:
        return None
    return replace(call, facts={"name": said[1]})


def pass_seed(found: AtCall) -> Drafts:
    """Pass a seed to the step itself."""
    if keyword_of(found.node, "seed") is None:
        yield add_argument(Draft(found.module).certain(), found.node, "seed=0")


RULES = (Rule("pipeline-without-seed", raised(no_seed), pass_seed),)
