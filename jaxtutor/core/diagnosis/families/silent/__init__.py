"""Causes that mostly raise nothing."""

from __future__ import annotations

from jaxtutor.core.diagnosis import observed_axes
from jaxtutor.core.diagnosis.families.silent import environment, fix, flat_order, match, stable
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (rule("operator-precedence", match.precedence, fix.group_comparisons),)
FINDING_FIXES = (
    FindingFix("operator-precedence", fix.group_comparisons),
    FindingFix("float64-truncated", fix.enable_x64),
    FindingFix("integer-overflow", fix.wider_integers),
    FindingFix("silent-broadcast", fix.same_shape),
    FindingFix("softmax-over-wrong-axis", fix.normalise_last),
    FindingFix("float-equality", fix.compare_closely),
    FindingFix("dict-key-order", flat_order.take_leaves),
    FindingFix("environment-set-after-import", environment.set_option),
    FindingFix("reshape-for-transpose", observed_axes.move_axes),
    FindingFix("channels-not-last", observed_axes.put_channels_last),
    FindingFix("int-dtype-truncation", fix.float_update),
    FindingFix("result-not-finite", stable.use_stable),
)
