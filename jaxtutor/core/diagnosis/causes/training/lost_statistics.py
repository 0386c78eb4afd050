"""Finds statistics of normalization layers whose new values no part of a program keeps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.states import renews_statistics
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import calls_to, passed_arguments
from jaxtutor.core.diagnosis.reading.loops import loop_around
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.words import LOADING


def read_lost_statistics(module: Module) -> Iterator[Finding]:
    """Yield the call in a loss that drops the new statistics, if no call keeps them.

    They matter where the same program also evaluates the model, which reads them.
    """
    losses = {a.function for a in applied(module) if a.kind in ("grad", "value_and_grad")}
    trained = list(_training_calls(module))
    if not trained or any(kept for _, _, kept in trained) or _loads_values(module):
        return
    for statement, given, _ in trained:
        is_in_loss = module.function(statement) in losses
        if is_in_loss and loop_around(module, statement) is None and _is_evaluated(module):
            facts = {"name": module.text(given)}
            yield Finding(None, facts, "dropped", module=module, node=statement)


def _training_calls(module: Module) -> Iterator[tuple[ast.Assign, ast.expr, bool]]:
    """Yield each call that returns new statistics, the old ones, and whether the new are read."""
    for name in ("apply", "apply_fn"):
        for call in calls_to(module, name):
            given = renews_statistics(module, call)
            statement = module.parents.get(call)
            if given is None:
                continue
            if not isinstance(statement, ast.Assign) or statement.value is not call:
                yield ast.Assign([], call), given, True  # where they go is not known
                continue
            target = statement.targets[0]
            taken = target.elts[1] if isinstance(target, ast.Tuple) and target.elts[1:] else target
            yield statement, given, _is_read_later(module, path_of(taken) or "", statement)


def _is_read_later(module: Module, name: str, statement: ast.Assign) -> bool:
    scope = module.scope(statement)
    later = (n for n in own_nodes(scope) if isinstance(n, ast.stmt) and n is not statement)
    nested = (n for n in ast.walk(scope) if isinstance(n, FunctionNode) and n is not scope)
    return not name or "." in name or any(name in names_in(n) for n in (*later, *nested))


def _loads_values(module: Module) -> bool:
    """Return whether the statistics may come from a model that was trained elsewhere."""
    names = (last_name(c.func).lower() for c in module.calls)
    return any(word in name for name in names for word in LOADING)


def _is_evaluated(module: Module) -> bool:
    """Return whether the program also runs the model with a flag that is False."""
    calls = [c for name in ("apply", "apply_fn") for c in calls_to(module, name)]
    values = [v for c in calls for v in passed_arguments(c)]
    return any(isinstance(v, ast.Constant) and v.value is False for v in values)
