"""Causes in calls of Optax, Haiku, NumPyro and Diffrax, and in objects that cannot be changed."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.libraries import fix, match
from jaxtutor.core.diagnosis.rules import message_rule, rule

RULES = (
    rule("optax-arguments-swapped", match.swapped_arguments, fix.right_order),
    rule("optax-params-missing", match.params_missing, fix.pass_params),
    rule("key-not-passed", match.key_not_passed, fix.insert_key),
    rule("haiku-state-untransformed", match.haiku_state),
    message_rule("haiku-untransformed"),
    message_rule("diffrax-state-structure"),
    rule("assigned-to-frozen-object", match.frozen_object, fix.changed_copy),
)
