"""Causes in which a size, an axis or a count has to be static and is not."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.sizes import (
    counts,
    data_sized,
    floats,
    settings,
    shapes,
    slices,
    static_values,
)
from jaxtutor.core.diagnosis.rewriting.static_arguments import static_source
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("float-as-size", floats.float_size, floats.whole_size),
    rule("jnp-op-on-static-value", static_values.on_static_value, static_values.numpy_for_static),
    rule("range-of-tracer", counts.range_of_tracer, counts.static_count),
    rule("traced-slice-bounds", slices.slice_bounds, slices.dynamic_slice),
    rule("traced-num-classes", counts.num_classes, counts.classes_of_scores),
    rule("traced-arange-bound", counts.arange_bound, counts.shifted_range),
    rule("traced-repeat-count", counts.repeat_count, static_source),
    rule("traced-loop-length", counts.loop_length, static_source),
    rule("traced-slice-size", counts.slice_size, static_source),
    rule("traced-shape-arg", shapes.shape_argument, shapes.size_on_host),
    rule("missing-static-size", data_sized.static_size_missing, data_sized.give_size),
    rule("reshape-around-zero", shapes.reshape_around_zero),
    rule("traced-axis-arg", settings.axis_argument, static_source),
    rule("traced-static-param", settings.static_parameter, settings.static_setting),
)
