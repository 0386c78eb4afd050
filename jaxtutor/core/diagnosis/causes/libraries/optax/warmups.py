"""Matches and fixes schedules of Optax whose warm-up is longer than the whole schedule."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument

_LEFT = re.compile(r"requires positive decay_steps, got decay_steps=(-?\d+)")
_SCHEDULES = ("optax.warmup_cosine_decay_schedule", "optax.schedules.warmup_cosine_decay_schedule")


class LongWarmup(AtCall, frozen=True, kw_only=True):
    """A call that makes a schedule; `warmup` and `total` are its numbers of steps."""

    warmup: ast.expr
    total: ast.expr


def long_warmup(context: FailureContext) -> LongWarmup | None:
    """A schedule has no steps left behind its warm-up."""
    call, said = at_call(context), _LEFT.search(context.message)
    if call is None or said is None or call.module.dotted(call.node.func) not in _SCHEDULES:
        return None
    warmup = argument(call.node, 2, "warmup_steps")
    total = argument(call.node, 3, "decay_steps")
    if warmup is None or total is None:
        return None
    written = call.module.text(warmup), call.module.text(total)
    facts = {
        "name": written[0],
        "container": written[1],
        "detail": said[1],
        "function": call.module.text(call.node.func),
        "argument": f"decay_steps={written[0]} + {written[1]}",
        "condition": f"warmup_steps={_shorter(call, warmup, total)}",
    }
    return LongWarmup(None, facts, context=context, node=call.node, warmup=warmup, total=total)


def _shorter(call: AtCall, warmup: ast.expr, total: ast.expr) -> str:
    """Write a number of steps that is at most a tenth of all."""
    return f"min({call.module.text(warmup)}, {atom(call.module, total)} // 10)"


def shorten_warmup(found: LongWarmup) -> Drafts:
    """Let the warm-up take at most a tenth of all steps."""
    text = _shorter(found, found.warmup, found.total)
    yield Draft(found.module).replace(found.warmup, text)


RULES = (Rule("warmup-longer-than-schedule", raised(long_warmup), shorten_warmup),)
