"""Causes in the loop that trains a model, found by reading the program."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.training import (
    averages,
    chains,
    fix,
    gradients,
    initial,
    logits,
    masked_scores,
    means,
    modes,
    padded_means,
    pairs,
    predictions,
    schedules,
    signs,
    swapped,
    timing,
)
from jaxtutor.core.diagnosis.rules import FindingFix

FINDING_FIXES = (
    FindingFix("update-result-dropped", fix.keep_result),
    FindingFix("state-not-carried", fix.carry_state),
    FindingFix("optimizer-state-reset", fix.make_state_once),
    FindingFix("grad-wrong-argnum", fix.add_argnums),
    FindingFix("step-with-wrong-sign", signs.turn_sign),
    FindingFix("probabilities-as-logits", logits.keep_logits),
    FindingFix("mean-divided-again", means.keep_mean),
    FindingFix("mean-over-padding", padded_means.divide_by_mask),
    FindingFix("zero-gradient", gradients.use_argument),
    FindingFix("schedule-counts-updates", schedules.count_updates),
    FindingFix("average-weights-swapped", averages.swap_weights),
    FindingFix("training-mode-in-evaluation", modes.switch_mode),
    FindingFix("optax-arguments-swapped", swapped.swap_arguments),
    FindingFix("optax-chain-order", chains.put_first),
    FindingFix("predictive-given-observations", predictions.predict_them),
    FindingFix("initial-params-used", initial.use_trained),
    FindingFix("pairs-shuffled-apart", pairs.shuffle_together),
    FindingFix("mask-times-scores", masked_scores.choose_scores),
    FindingFix("timed-before-finished", timing.wait_for_result),
)
