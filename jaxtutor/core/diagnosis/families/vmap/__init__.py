"""Causes in vmap."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.vmap import axes, fix, indices, match, settings, states
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("vmap-keyword-argument", match.keyword_argument, fix.pass_by_position),
    rule("vmap-in-axes-mismatch", match.in_axes, fix.complete_in_axes),
    rule("vmap-axis-mismatch", match.mapped, fix.map_batch_axes),
    rule("vmap-non-array", settings.unmapped, settings.share),
    rule("vmap-body-sees-one-example", match.one_example, fix.count_one_axis_fewer),
    rule("array-lacks-axis", axes.axis_missing, indices.add_axis),
)
FINDING_FIXES = (
    FindingFix("vmap-maps-shared-argument", fix.share_first),
    FindingFix("state-with-batch-axis", states.keep_one_state),
)
