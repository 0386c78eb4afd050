"""Causes in calls of Optax, Haiku, NumPyro and Diffrax, and in objects that cannot be changed."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.libraries import (
    checkpoints,
    fields,
    fix,
    haiku,
    keys,
    labels,
    levels,
    loaders,
    loops,
    match,
    model_states,
    operators,
    optimizers,
    sites,
    solutions,
    solves,
    tree_at,
)
from jaxtutor.core.diagnosis.families.static_args import fix as static_fix
from jaxtutor.core.diagnosis.families.static_args import match as static_match
from jaxtutor.core.diagnosis.rules import message_rule, rule

RULES = (
    rule("optax-arguments-swapped", match.swapped_arguments, fix.right_order),
    rule("optax-params-missing", match.params_missing, fix.pass_params),
    rule("labels-without-transform", labels.unmatched, labels.rename_key),
    rule("init-params-incomplete", sites.start_incomplete),
    rule("key-not-passed", keys.key_not_passed, fix.insert_key),
    rule("haiku-state-untransformed", haiku.haiku_state, fix.add_state),
    rule("haiku-state-not-passed", haiku.haiku_state_missing, fix.pass_state),
    rule("haiku-in-jax-transform", haiku.inside_haiku, fix.haiku_version),
    rule("discrete-latent-site", sites.discrete_latent),
    rule("sample-in-jax-loop", loops.sample_in_loop, loops.numpyro_scan),
    rule("no-valid-start", sites.no_start, sites.into_support),
    rule("name-used-twice", match.name_twice, fix.count_rounds),
    rule("field-not-set", match.unset_field, fix.set_field),
    rule(
        "value-and-grad-not-unpacked", optimizers.value_with_gradient, optimizers.take_value_apart
    ),
    rule("arguments-in-a-list", optimizers.arguments_in_list, optimizers.spread_list),
    rule("function-not-called", optimizers.not_called, optimizers.call_it),
    rule("nonarray-field-not-static", static_match.field_not_static, static_fix.static_field),
    rule("haiku-untransformed", haiku.haiku_untransformed, fix.name_transformed),
    message_rule("diffrax-state-structure", fix.array_from_field),
    rule("tree-with-collections", levels.one_level_apart, levels.same_level),
    rule("batch-of-unequal-elements", loaders.unequal_elements),
    rule("solver-out-of-steps", sites.named_call),
    rule("tree-at-where", tree_at.unnamed_node, tree_at.name_node),
    rule("steps-without-error-estimates", solves.without_estimates, solves.half_solver),
    rule("times-outside-solve", solves.outside_interval, solves.turn_step),
    rule("matrix-for-operator", solves.raw_matrix, solves.as_operator),
    rule("old-state-used", model_states.old_state, model_states.newest_state),
    rule("operator-without-tag", operators.untagged, operators.declare_tag),
    rule(
        "state-for-step",
        solutions.state_for_step,
        solutions.step_before_state,
        of_any_class=True,
    ),
    rule("solution-not-dense", solutions.not_dense, solutions.keep_interpolation),
    rule("steps-without-tolerances", solutions.without_tolerances, solutions.choose_steps),
    rule("checkpoint-path-relative", checkpoints.relative_path, checkpoints.absolute_path),
    rule("no-checkpoint-yet", checkpoints.none_saved, checkpoints.restore_if_there),
    rule("checkpoint-already-there", checkpoints.already_there, checkpoints.overwrite),
    rule("checkpoint-args-not-wrapped", checkpoints.bare_tree, checkpoints.wrap_tree),
    rule("field-not-declared", fields.undeclared, fields.declare),
    rule("assigned-to-frozen-object", match.frozen_object, fix.changed_copy),
)
