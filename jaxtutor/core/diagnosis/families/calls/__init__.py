"""Causes in how functions of JAX are called: their order, their operands, functions and keys."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.calls import (
    containers,
    fix,
    generators,
    initializers,
    match,
    settings,
    spread,
)
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("cond-pred-not-scalar", match.predicate, fix.where_for_cond),
    rule("switch-index-not-integer", match.index, fix.integer_index),
    rule("value-instead-of-function", settings.value_for_function, settings.pass_functions),
    rule("transform-not-curried", match.curried, fix.merge_calls),
    rule("branch-operands-missing", match.operands_missing, fix.merge_branching),
    rule("function-instead-of-value", match.function_as_value, fix.call_inside),
    rule("arguments-to-transformation", match.arguments_inside, fix.arguments_outside),
    rule("option-in-the-call", match.option_outside, fix.move_option),
    rule("tuple-in-arithmetic", match.tuple_operand, fix.unpack_gradient),
    rule("scan-over-scalar", match.scan_over_scalar, fix.swap_scan),
    rule("scan-without-values", match.scan_without_values),
    rule("jvp-needs-tuples", match.jvp_tuples, fix.make_tuples),
    rule("aux-not-nested", match.aux_not_nested, fix.nest_aux),
    rule("not-a-key", generators.not_a_key, generators.pass_key),
    rule("random-shape-spread", match.shape_spread, fix.shape_tuple),
    rule("key-array-for-key", match.key_array),
    rule("container-for-array", containers.container_for_array, containers.pass_entry),
    rule("tree-taken-for-dict", match.tree_as_dict),
    rule("callback-closes-over-tracer", match.callback_closure, fix.pass_to_callback),
    rule("dict-not-spread", spread.not_spread, spread.spread),
    rule("library-argument-missing", initializers.needed_argument, fix.begin_at_zero),
)
