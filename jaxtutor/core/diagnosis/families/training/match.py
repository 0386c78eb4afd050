"""Finds mistakes in training loops by syntax alone: updates, states and gradients that get lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.families.training.gradients import gradient_of_input
from jaxtutor.core.diagnosis.families.training.lost_changes import lost_in_jit
from jaxtutor.core.diagnosis.families.training.states import lost_states
from jaxtutor.core.diagnosis.families.training.updates import Found, dropped
from jaxtutor.core.diagnosis.source import Module

_LIBRARIES = ("jax", "flax", "optax", "equinox", "haiku", "numpyro")


def read_training(module: Module) -> Iterator[Found]:
    """Yield the mistakes that the source of one file shows by itself."""
    if not any(path.partition(".")[0] in _LIBRARIES for path in module.imports.values()):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from dropped(module, node.value)
        elif isinstance(node, ast.Assign):
            yield from lost_states(module, node)
            yield from gradient_of_input(module, node)
        elif isinstance(node, ast.AugAssign):
            yield from gradient_of_input(module, node)
    yield from lost_in_jit(module)
