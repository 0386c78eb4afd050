"""Causes in random numbers."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.randomness import fix, match, seeds
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("prng-key-reuse", match.key_reuse, fix.split_key),
    rule("seed-not-integer", seeds.seed_not_whole, seeds.whole_seed),
    rule("typed-key-as-raw-array", match.typed_key, fix.raw_key),
)
FINDING_FIXES = (FindingFix("prng-key-reuse", fix.split_key),)
