"""Causes in how functions of JAX are called: their order, their operands, functions and keys."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.calls import (
    callbacks,
    conditions,
    containers,
    curried,
    derivatives,
    generators,
    keys,
    maps,
    missing,
    scanned_values,
    settings,
    shapes,
    spread,
    transformed,
    tuple_operands,
)
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("cond-pred-not-scalar", conditions.predicate, conditions.where_for_cond),
    rule("switch-index-not-integer", conditions.index, conditions.integer_index),
    rule("value-instead-of-function", settings.value_for_function, settings.pass_functions),
    rule("transform-not-curried", curried.curried, curried.merge_calls),
    rule("branch-operands-missing", curried.operands_missing, curried.merge_branching),
    rule("function-instead-of-value", transformed.function_as_value, transformed.call_inside),
    rule(
        "arguments-to-transformation", transformed.arguments_inside, transformed.arguments_outside
    ),
    rule("option-in-the-call", transformed.option_outside, transformed.move_option),
    rule("tuple-in-arithmetic", tuple_operands.tuple_operand, tuple_operands.unpack_gradient),
    rule("scan-over-scalar", scanned_values.scan_over_scalar, scanned_values.swap_scan),
    rule("scan-without-values", scanned_values.scan_without_values),
    rule("jvp-needs-tuples", derivatives.jvp_tuples, derivatives.make_tuples),
    rule("aux-not-nested", derivatives.aux_not_nested, derivatives.nest_aux),
    rule("not-a-key", generators.not_a_key, generators.pass_key),
    rule("random-shape-spread", shapes.shape_spread, shapes.shape_tuple),
    rule("key-array-for-key", keys.key_array),
    rule("map-over-several-arrays", maps.several_arrays, maps.map_tuple),
    rule("container-for-array", containers.container_for_array, containers.pass_entry),
    rule("tree-taken-for-dict", containers.tree_as_dict),
    rule("callback-closes-over-tracer", callbacks.callback_closure, callbacks.pass_to_callback),
    rule("dict-not-spread", spread.not_spread, spread.spread),
    rule("library-argument-missing", missing.needed_argument, missing.begin_at_zero),
)
