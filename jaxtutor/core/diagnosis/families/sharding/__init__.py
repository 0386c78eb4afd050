"""Causes in sharding: specs, meshes, and the collectives between devices."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.sharding import fix, match, rows
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("out-specs-not-replicated", match.not_replicated, fix.reduce_result),
    rule("specs-rank-mismatch", match.rank_mismatch, fix.empty_spec),
    rule("specs-count-mismatch", match.specs_count, fix.leave_unspecified),
    rule("rows-for-devices", rows.rows_for_devices, rows.blocks_of_rows),
    rule("sharding-not-divisible", rows.indivisible, rows.spec_for_each),
    rule("constraint-on-explicit-mesh", match.constraint, fix.reshard),
    rule("no-mesh-in-context", match.no_mesh, fix.name_mesh),
    rule("spec-axis-not-in-mesh", match.unknown_axis, fix.only_axis),
    rule("ambiguous-contraction", match.contraction, fix.replicated_output),
    rule("mesh-needs-more-devices", match.more_devices, fix.more_cpu_devices),
    rule("ppermute-bad-pair", match.bad_pair, fix.wrap_round),
)
