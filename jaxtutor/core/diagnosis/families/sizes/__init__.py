"""Causes in which a size, an axis or a count has to be static and is not."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.sizes import fix, floats, match
from jaxtutor.core.diagnosis.rewriting.static_arguments import static_source
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("float-as-size", floats.float_size, floats.whole_size),
    rule("jnp-op-on-static-value", match.on_static_value, fix.numpy_for_static),
    rule("range-of-tracer", match.range_of_tracer, fix.static_count),
    rule("traced-slice-bounds", match.slice_bounds, fix.dynamic_slice),
    rule("traced-num-classes", match.num_classes, fix.classes_of_scores),
    rule("traced-arange-bound", match.arange_bound, fix.shifted_range),
    rule("traced-repeat-count", match.repeat_count, static_source),
    rule("traced-loop-length", match.loop_length, static_source),
    rule("traced-slice-size", match.slice_size, static_source),
    rule("traced-shape-arg", match.shape_argument, static_source),
    rule("missing-static-size", match.static_size_missing, fix.give_size),
    rule("reshape-around-zero", match.reshape_around_zero),
    rule("traced-axis-arg", match.axis_argument, static_source),
    rule("traced-static-param", match.static_parameter, fix.static_setting),
)
