"""Causes in differentiation."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.control_flow import bodies
from jaxtutor.core.diagnosis.families.gradients import (
    argnums,
    fix,
    forward,
    integers,
    match,
    outputs,
)
from jaxtutor.core.diagnosis.rules import FindingFix, rule

EARLY = (rule("argnums-in-a-tuple", argnums.tuple_of_one, argnums.plain_number),)
"""Asked before results that are not unpacked: this one is a tuple only because of an option."""

RULES = (
    rule("grad-aux-not-declared", match.aux_not_declared, fix.declare_aux),
    rule("grad-nonscalar", match.nonscalar, fix.reduce_to_scalar),
    rule("grad-wrong-argnum", outputs.of_other_value, fix.name_parameters),
    # A counter where the state belongs fails as an integer that is differentiated.
    rule("loop-counter-as-state", bodies.counter_as_state, bodies.state_for_counter),
    rule("grad-int-input", integers.int_input, fix.float_input),
    rule("forward-mode-through-custom-vjp", forward.forward_mode, forward.backward_mode),
    rule("custom-vjp-cotangent-count", match.cotangent_count, fix.one_cotangent_each),
)
FINDING_FIXES = (
    FindingFix("nan-grad-through-where", fix.double_where),
    FindingFix("nan-grad-of-norm-at-zero", fix.safe_root),
)
