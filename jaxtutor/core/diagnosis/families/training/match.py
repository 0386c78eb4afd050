"""Finds mistakes in training loops by syntax alone: updates, states and gradients that get lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.families.training.accumulated import read_accumulated
from jaxtutor.core.diagnosis.families.training.accuracies import read_accuracies
from jaxtutor.core.diagnosis.families.training.averages import read_averages
from jaxtutor.core.diagnosis.families.training.chains import read_chains
from jaxtutor.core.diagnosis.families.training.divergences import read_divergences
from jaxtutor.core.diagnosis.families.training.epoch_states import read_epoch_states
from jaxtutor.core.diagnosis.families.training.flags import read_flags
from jaxtutor.core.diagnosis.families.training.frozen_weights import read_frozen
from jaxtutor.core.diagnosis.families.training.gradients import (
    gradient_of_input,
    gradient_of_unused,
)
from jaxtutor.core.diagnosis.families.training.initial import read_initial
from jaxtutor.core.diagnosis.families.training.likelihoods import read_likelihoods
from jaxtutor.core.diagnosis.families.training.lost_changes import lost_in_jit
from jaxtutor.core.diagnosis.families.training.lost_statistics import read_lost_statistics
from jaxtutor.core.diagnosis.families.training.masked_scores import read_masked_scores
from jaxtutor.core.diagnosis.families.training.means import read_means
from jaxtutor.core.diagnosis.families.training.modes import wrong_modes
from jaxtutor.core.diagnosis.families.training.padded_means import read_padded_means
from jaxtutor.core.diagnosis.families.training.pairs import read_pairs
from jaxtutor.core.diagnosis.families.training.predictions import read_predictions
from jaxtutor.core.diagnosis.families.training.rates import read_rates
from jaxtutor.core.diagnosis.families.training.sampled_logits import read_sampled_logits
from jaxtutor.core.diagnosis.families.training.schedules import read_schedules
from jaxtutor.core.diagnosis.families.training.shifted import read_shifted
from jaxtutor.core.diagnosis.families.training.states import lost_states
from jaxtutor.core.diagnosis.families.training.statistics import read_statistics
from jaxtutor.core.diagnosis.families.training.swapped import read_swapped, read_updates
from jaxtutor.core.diagnosis.families.training.targets import read_targets
from jaxtutor.core.diagnosis.families.training.unread import read_unread
from jaxtutor.core.diagnosis.families.training.updates import Found, dropped, lost_result
from jaxtutor.core.diagnosis.source import Module

_LIBRARIES = ("jax", "flax", "optax", "equinox", "haiku", "numpyro")


def read_training(module: Module) -> Iterator[Found]:
    """Yield the mistakes that the source of one file shows by itself."""
    if not any(path.partition(".")[0] in _LIBRARIES for path in module.imports.values()):
        return
    for node in module.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from dropped(module, node.value)
            yield from lost_result(module, node.value)
        elif isinstance(node, ast.Assign):
            yield from lost_states(module, node)
            yield from gradient_of_input(module, node)
        elif isinstance(node, ast.AugAssign):
            yield from gradient_of_input(module, node)
    for read in (
        gradient_of_unused, lost_in_jit, wrong_modes, read_chains, read_schedules,
        read_predictions, read_initial, read_swapped, read_statistics, read_means,
        read_updates, read_pairs, read_accumulated, read_likelihoods, read_masked_scores,
        read_averages, read_rates, read_lost_statistics, read_padded_means, read_accuracies,
        read_divergences, read_epoch_states, read_flags, read_frozen, read_sampled_logits,
        read_shifted, read_targets, read_unread,
    ):  # fmt: skip
        yield from read(module)
