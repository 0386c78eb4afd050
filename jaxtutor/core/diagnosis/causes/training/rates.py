"""Finds optimizers of Optax that are given one value of a schedule in the place of the schedule."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_number

_MAKERS = ("_schedule", "_decay", "_onecycle")
_CHANGED_LATER = ("hyperparams", "inject_hyperparams")
"""Where the learning rate of an optimizer can be set in each round."""


class RateOfOneStep(CallFinding, frozen=True, kw_only=True):
    """The value of a schedule at one step, which an optimizer gets."""


def read_rates(module: Module) -> Iterator[RateOfOneStep]:
    """Yield each `optax.adam(schedule(0))`: the value at one step is a number."""
    if any(word in module.source for word in _CHANGED_LATER):
        return
    for call in module.nodes:
        home, _, name = (module.dotted(getattr(call, "func", None)) or "").rpartition(".")
        if not isinstance(call, ast.Call) or home != "optax" or name.endswith(_MAKERS):
            continue
        rate = argument(call, 0, "learning_rate")
        if isinstance(rate, ast.Call) and _is_value_of_schedule(module, rate):
            facts = {"name": module.text(rate.func), "function": f"optax.{name}"}
            yield RateOfOneStep(None, facts, "number", module=module, node=rate)


def _is_value_of_schedule(module: Module, rate: ast.Call) -> bool:
    """Return whether an expression is `schedule(0)`, where Optax made the schedule."""
    if len(rate.args) != 1 or not is_number(rate.args[0]):
        return False
    made = bound_value(module, rate.func)
    home, _, name = (module.dotted(getattr(made, "func", None)) or "").rpartition(".")
    is_schedule = home.startswith("optax") and name.endswith((*_MAKERS, "join_schedules"))
    return is_schedule and name != "constant_schedule" and made is not rate.func


def pass_schedule(found: RateOfOneStep) -> Drafts:
    """Pass the schedule itself."""
    yield Draft(found.module).replace(found.node, found.module.text(found.node.func))
