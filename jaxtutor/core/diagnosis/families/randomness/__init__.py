"""Causes in random numbers."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.randomness import fix, match
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("prng-key-reuse", match.key_reuse, fix.split_key),
    rule("typed-key-as-raw-array", match.typed_key, fix.raw_key),
)
FINDING_FIXES = (FindingFix("prng-key-reuse", fix.split_key),)
