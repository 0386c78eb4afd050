"""Causes in structured control flow: scan, loops, cond, recursion."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.control_flow import (
    bodies,
    branches,
    carries,
    carry_fixes,
    carry_order,
    carry_structures,
    extra_axes,
    lengths,
    missing_returns,
    numpyro_scans,
    recursion,
    reverse_mode,
    scan_pairs,
    scanned_lists,
    unchanged,
)
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("fori-body-args-swapped", bodies.fori_swapped, bodies.swap_parameters),
    rule("missing-return", missing_returns.missing_return, missing_returns.add_return),
    rule("scan-over-python-list", scanned_lists.scan_over_list, scanned_lists.stack_list),
    rule("scan-lengths-differ", lengths.lengths_differ, lengths.same_lengths),
    rule("scan-body-not-pair", numpyro_scans.no_pair, scan_pairs.return_pair),
    rule("carry-parts-swapped", carry_order.parts_swapped, carry_order.same_order),
    rule("scan-carry-weak-type", carries.weak_carry, carry_fixes.cast_weak_carry),
    rule("scan-carry-dtype-change", carries.dtype_change, carry_fixes.cast_carry),
    rule("fori-carry-shape-change", extra_axes.fori_change, carry_fixes.shape_carry),
    rule("scan-carry-shape-change", extra_axes.scan_change, carry_fixes.shape_carry),
    rule("while-cond-not-scalar-bool", bodies.while_cond, bodies.scalar_condition),
    rule("piecewise-takes-functions", branches.piecewise, branches.functions_of_piecewise),
    rule("cond-branch-shape-mismatch", branches.branch_shape),
    rule("cond-branch-dtype-mismatch", branches.branch_dtype, branches.same_dtype),
    rule("cond-branch-structure-mismatch", branches.branch_structure, branches.same_structure),
    rule("associative-scan-over-parts", recursion.endless_scan),
    rule("recursion-under-trace", recursion.recursion, recursion.loop_for_recursion),
    rule("reverse-mode-through-while", reverse_mode.reverse_mode, reverse_mode.forward_mode),
    rule(
        "loop-carry-structure-mismatch",
        carry_structures.carry_structure,
        carry_structures.return_carry,
    ),
)
FINDING_FIXES = (
    FindingFix("missing-return", missing_returns.add_return_of_finding),
    FindingFix("carry-returned-unchanged", unchanged.return_new_state),
)
