"""Causes in which Python needs the truth of a traced value, or of an array."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.booleans import concrete, fix, match
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("traced-bool-in-recursion", match.in_recursion, fix.end_by_setting),
    rule("config-flag-not-static", match.config_flag, fix.name_flag),
    rule("traced-bool-in-match", match.in_match, fix.choose_by_pattern),
    rule("traced-bool-in-assert", match.in_assert, fix.choose_by_value),
    rule("traced-bool-in-while", match.in_while, fix.choose_by_value),
    rule("traced-bool-in-builtin-minmax", match.builtin_minmax, fix.array_minmax),
    rule("traced-bool-in-builtin-sorted", match.builtin_sorted, fix.array_builtin),
    rule("traced-bool-in-membership", match.membership, fix.choose_by_value),
    rule("traced-early-return", match.early_return, fix.choose_by_value),
    rule("traced-bool-in-chained-comparison", match.chained_comparison, fix.choose_by_value),
    rule("traced-bool-in-or-default", match.or_default, fix.default_if_none),
    rule("traced-bool-in-and-or", match.in_and_or, fix.choose_by_value),
    rule("traced-bool-in-not", match.in_not, fix.choose_by_value),
    rule("traced-bool-in-ternary", match.in_ternary, fix.choose_by_value),
    rule("traced-bool-in-if", match.in_if, fix.choose_by_value),
    rule("array-as-condition", concrete.array_truth, concrete.compare_whole),
)
