"""Causes in Flax: variables and modules of linen, objects of NNX, and keys for random layers."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.flax import (
    batch_scans,
    carries,
    carry_slots,
    definitions,
    filters,
    fix,
    heads,
    init_shapes,
    lifted,
    match,
    metrics,
    modes,
    nnx_arguments,
    plain_arrays,
    scan_axes,
    second_names,
    slots,
    unbound,
)
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule(
        "lifted-transform-without-variables", lifted.variables_not_lifted, lifted.hand_on_variables
    ),
    rule("lifted-transform-without-size", lifted.number_unknown, lifted.state_number),
    rule("linen-params-not-wrapped", match.params_not_wrapped, fix.wrap_params),
    rule("linen-missing-collection", match.missing_collection, fix.pass_collection),
    rule("linen-immutable-collection", match.immutable_collection, fix.allow_update),
    rule("linen-compact-twice", definitions.compact_twice, definitions.name_layers),
    rule("linen-init-overridden", definitions.own_constructor, definitions.fields_for_constructor),
    rule("scan-over-batch-axis", scan_axes.scan_over_batch, scan_axes.scan_over_time),
    rule("gradients-of-other-variables", filters.other_variables, filters.same_filter),
    rule("heads-do-not-divide", heads.undivided),
    rule("carry-unfit-for-cell", carries.carry_unfit, carries.fit_carry),
    rule("linen-shape-changed", init_shapes.shape_changed, init_shapes.fit_input),
    rule("parameters-of-another-model", match.parameters_absent),
    rule("linen-unbound-module", unbound.unbound_module, unbound.apply_in_place),
    rule("linen-submodule-outside-compact", match.submodule_outside, fix.mark_compact),
    rule("linen-module-in-jax-transform", match.module_in_transform, fix.flax_scan),
    rule("layer-mode-missing", modes.mode_unclear, modes.set_mode),
    rule("checkpoint-structure-mismatch", match.saved_otherwise),
    rule("lifted-transform-without-rngs", lifted.stream_not_split, lifted.split_stream),
    rule("remat-argument-not-static", lifted.setting_in_remat, lifted.name_in_remat),
    rule("layer-without-key", match.without_key, fix.pass_key),
    rule("nnx-foreign-trace", match.foreign_trace, fix.pass_object),
    rule("nnx-scan-carries-module", slots.module_as_carry, slots.swap_slots),
    rule("nnx-scan-carries-values", carry_slots.values_as_carry, carry_slots.carry_in_its_slot),
    rule("metric-reads-other-argument", metrics.other_argument, metrics.read_what_is_passed),
    rule("nnx-list-of-modules", match.plain_list, fix.wrap_list),
    rule("nnx-key-for-rngs", nnx_arguments.key_for_rngs, nnx_arguments.wrap_key),
    rule("nnx-split-remainder", nnx_arguments.split_parts, nnx_arguments.add_filters),
)
FINDING_FIXES = (
    FindingFix("array-never-trained", plain_arrays.make_parameter),
    FindingFix("second-name-for-module", second_names.copy_module),
    FindingFix("scan-over-batch-axis", batch_scans.scan_over_steps),
)
