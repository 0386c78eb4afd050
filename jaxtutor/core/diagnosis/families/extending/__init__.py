"""Causes in export, compiled programs, primitives and Pallas kernels."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.extending import (
    compiled,
    constructors,
    fix,
    jvp_rules,
    match,
    metadata,
    order,
    pallas_specs,
    registered,
    rule_results,
    unflattening,
)
from jaxtutor.core.diagnosis.rules import FindingFix, message_rule, rule

RULES = (
    rule("symbolic-dimension-missing", match.dimension_missing, fix.symbolic_shape),
    message_rule("symbolic-dimension-inconclusive"),
    rule("symbolic-dimensions-not-equal", match.dimensions_not_equal),
    message_rule("symbolic-scopes-mixed"),
    rule("export-needs-jit", match.export_needs_jit, fix.jit_exported),
    rule("staged-object-called", match.staged_called, fix.call_staged),
    rule("compiled-for-other-types", compiled.other_arguments, compiled.leave_out),
    message_rule("transform-of-compiled"),
    rule("primitive-rule-missing", match.rule_missing),
    rule("abstract-eval-wrong-type", match.abstract_eval, fix.shaped_array),
    rule("params-not-for-bind", match.params_in_bind, fix.prepare_params),
    rule(
        "parameters-in-another-order",
        order.another_order,
        order.library_order,
        of_any_class=True,
    ),
    rule(
        "constructor-runs-on-unflatten",
        constructors.rebuilt,
        constructors.without_constructor,
        of_any_class=True,
    ),
    rule("unflatten-not-classmethod", unflattening.not_a_classmethod, unflattening.as_classmethod),
    rule("flatten-not-pair", registered.not_a_pair, registered.as_pair),
    rule("dataclass-fields-incomplete", registered.fields_incomplete, registered.list_fields),
    rule("jvp-rule-takes-arrays", jvp_rules.tuples_not_taken, jvp_rules.take_tuples),
    rule("custom-rule-arity", match.custom_rule_arity, fix.take_fixed_first),
    rule("custom-vjp-residual-function", match.function_in_residuals),
    rule("checkpoint-policy-text", match.policy_text, fix.policy_function),
    rule("array-in-metadata", metadata.array_in_metadata, metadata.as_data),
    rule("custom-rule-missing", match.custom_rule),
    rule("custom-vjp-fwd-no-pair", rule_results.no_pair),
    rule("custom-rule-result", rule_results.other_result),
    message_rule("callback-without-gradient"),
    rule("custom-vmap-no-pair", match.custom_vmap, fix.return_batched),
    rule("pallas-ref-not-read", match.ref_not_read, fix.read_ref),
    rule("pallas-kernel-returns", match.kernel_returns, fix.write_result),
    rule("pallas-index-map", match.index_map, fix.take_grid_indices),
    rule("pallas-block-rank", pallas_specs.block_misfit),
    rule("pallas-out-shape", match.out_shape),
    rule("pallas-captures-constant", match.at_pallas_call),
    rule("pallas-needs-interpret", match.at_pallas_call, fix.interpret),
    rule("pallas-no-gradient", match.no_gradient),
)
FINDING_FIXES = (FindingFix("parameters-in-another-order", order.library_order_of_finding),)
