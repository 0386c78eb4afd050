"""Causes in what functions are given: shapes, containers, classes, None."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.arguments import (
    abstract_shapes,
    broadcasts,
    convolutions,
    float_indices,
    iterators,
    library_texts,
    none_values,
    not_jax_types,
    numpy_arrays,
    order,
    products,
    registrations,
    reshapes,
    scan_order,
    sequences,
    shape_texts,
    solves,
    windows,
)
from jaxtutor.core.diagnosis.rules import rule

ORDER = (
    rule("arguments-swapped", order.other_order, order.right_order, of_any_class=True),
    rule(
        "shape-for-struct",
        abstract_shapes.shape_for_struct,
        abstract_shapes.describe_arrays,
        of_any_class=True,
    ),
    rule("scan-body-args-swapped", scan_order.body_swapped, scan_order.swap_parameters),
)
"""Asked first: an argument of another kind explains whatever the call raised."""

ITERATORS = (
    rule("iterator-as-array", iterators.iterator, iterators.map_function),
    rule("array-of-objects", numpy_arrays.array_of_objects, numpy_arrays.take_object),
)
"""Asked before the static arguments: `jit` refuses these with the same message."""

TEXTS = (rule("text-as-number", library_texts.text_for_number, library_texts.convert),)
"""Asked before the sizes: a text is refused as a size with the messages of those causes."""

EARLY = (
    rule("numpy-array-without-at", numpy_arrays.without_at, numpy_arrays.as_jax_array),
    rule("annotation-shape-not-text", shape_texts.shape_not_text, shape_texts.as_text),
    rule("solve-batched-vectors", solves.batched_vectors, solves.add_column),
    rule("convolution-axes-missing", convolutions.axes_missing, convolutions.add_axes),
)
"""Asked before the arrays and the names, whose messages some of these failures have."""

CLASSES = (rule("not-a-jax-type", not_jax_types.not_a_jax_type, registrations.register),)
"""Asked after the static arguments, and before the trees, whose structures differ as well."""

RULES = (
    rule("none-argument", none_values.none_argument, none_values.only_if_given),
    rule("concat-not-sequence", sequences.not_sequence, sequences.as_sequence),
    rule("ragged-list", sequences.ragged),
    rule("number-for-sizes", windows.number_for_sizes, windows.tuples_of_sizes),
    rule("list-argument", sequences.list_argument, sequences.as_array),
    rule("python-scalar-not-array", sequences.python_scalar, sequences.scalar_to_array),
    rule("shape-mismatch-matmul", products.product, products.fit_product),
    rule("float-as-index", float_indices.index_of_floats, float_indices.whole_indices),
    rule("where-between-shapes", broadcasts.where_shapes),
    rule("shape-mismatch-broadcast", broadcasts.broadcast, broadcasts.fit_shapes),
    rule("reshape-size-mismatch", reshapes.other_size, reshapes.fit_batch),
)
