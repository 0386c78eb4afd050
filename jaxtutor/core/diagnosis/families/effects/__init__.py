"""Causes in which a traced function has an effect beyond its result."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.effects import fix, host_reads, match
from jaxtutor.core.diagnosis.rules import FindingFix, rule

_LEAKS = (
    ("leaked-by-append", fix.return_stored),
    ("leaked-by-attribute", fix.pass_in),
    ("leaked-by-global", fix.pass_in),
    ("leaked-by-closure", fix.pass_in),
    ("leaked-by-cache", fix.fill_with_values),
    ("leaked-by-generator", fix.pass_in),
)
RULES = (
    # A leaked tracer raises whatever its next use raises.
    *(rule(slug, match.leaked(slug), fixer, of_any_class=True) for slug, fixer in _LEAKS),
    rule("leaked-by-piecewise", match.leaked("leaked-by-piecewise"), of_any_class=True),
    rule("unhashable-array-in-cache", match.unhashable_array, fix.uncache),
)
FINDING_FIXES = (
    FindingFix("leaked-by-attribute", fix.pass_in),
    FindingFix("leaked-by-global", fix.pass_in),
    FindingFix("leaked-by-closure", fix.pass_in),
    FindingFix("leaked-by-generator", fix.pass_in),
    FindingFix("leaked-by-cache", fix.fill_with_values),
    FindingFix("stale-global", fix.pass_global),
    FindingFix("impure-host-random", fix.draw_outside),
    FindingFix("impure-print", fix.print_traced),
    FindingFix("value-read-each-round", host_reads.collect_arrays),
)
