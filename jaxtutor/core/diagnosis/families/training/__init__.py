"""Causes in the loop that trains a model, found by reading the program."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.training import fix, logits, signs, timing
from jaxtutor.core.diagnosis.rules import FindingFix

FINDING_FIXES = (
    FindingFix("update-result-dropped", fix.keep_result),
    FindingFix("state-not-carried", fix.carry_state),
    FindingFix("optimizer-state-reset", fix.make_state_once),
    FindingFix("grad-wrong-argnum", fix.add_argnums),
    FindingFix("step-with-wrong-sign", signs.turn_sign),
    FindingFix("probabilities-as-logits", logits.keep_logits),
    FindingFix("timed-before-finished", timing.wait_for_result),
)
