"""Causes that come from arrays being immutable, and from masks that are traced."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.arrays import fix, match
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("brackets-instead-of-call", match.brackets_for_call, fix.call_with_parentheses),
    rule("boolean-mask-index", match.boolean_mask, fix.reduce_where),
    rule("masked-assignment", match.masked_assignment, fix.choose_masked),
    rule("inplace-assignment", match.inplace_assignment, fix.update_in_place),
)
FINDING_FIXES = (
    FindingFix("at-set-result-dropped", fix.keep_update),
    FindingFix("scatter-duplicate-indices", fix.accumulate),
)
