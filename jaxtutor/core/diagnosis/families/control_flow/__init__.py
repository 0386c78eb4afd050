"""Causes in structured control flow: scan, loops, cond, recursion, pytrees."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.control_flow import (
    carry_order,
    fix,
    lengths,
    match,
    numpyro_scans,
)
from jaxtutor.core.diagnosis.families.flax.broadcast import hand_whole
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("fori-body-args-swapped", match.fori_swapped, fix.swap_parameters),
    rule("missing-return", match.missing_return, fix.add_return),
    rule("scan-over-python-list", match.scan_over_list, fix.stack_list),
    rule("scan-lengths-differ", lengths.lengths_differ, hand_whole),
    rule("scan-body-not-pair", numpyro_scans.no_pair, fix.return_pair),
    rule("carry-parts-swapped", carry_order.parts_swapped, carry_order.same_order),
    rule("scan-carry-weak-type", match.weak_carry, fix.cast_weak_carry),
    rule("scan-carry-dtype-change", match.dtype_change, fix.cast_carry),
    rule("fori-carry-shape-change", match.fori_shape_change, fix.shape_carry),
    rule("scan-carry-shape-change", match.scan_shape_change, fix.shape_carry),
    rule("while-cond-not-scalar-bool", match.while_cond, fix.scalar_condition),
    rule("piecewise-takes-functions", match.piecewise, fix.functions_of_piecewise),
    rule("cond-branch-shape-mismatch", match.branch_shape),
    rule("cond-branch-dtype-mismatch", match.branch_dtype, fix.same_dtype),
    rule("cond-branch-structure-mismatch", match.branch_structure, fix.same_structure),
    rule("associative-scan-over-parts", match.endless_scan),
    rule("recursion-under-trace", match.recursion, fix.loop_for_recursion),
    rule("reverse-mode-through-while", match.reverse_mode, fix.forward_mode),
    rule("loop-carry-structure-mismatch", match.carry_structure, fix.return_carry),
    rule("pytree-structure-mismatch", match.structure_mismatch),
)
FINDING_FIXES = (
    FindingFix("missing-return", fix.add_return_of_finding),
    FindingFix("carry-returned-unchanged", fix.return_new_state),
)
