"""Causes in which a Python or NumPy value is needed of a tracer."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.values import (
    dtypes,
    fix,
    lax_shapes,
    match,
    promotion,
    serialised,
    single,
    stored,
)
from jaxtutor.core.diagnosis.rules import FindingFix, rule

KEYS = (rule("array-as-key", serialised.array_as_key, serialised.item_as_key),)
"""Asked before the caches, which refuse an array with the same message."""

RULES = (
    rule("dtype-lost-in-npz", stored.lost_dtype),
    rule("numpy-buffer-write", match.buffer_write, fix.buffer_to_array),
    rule("lax-dtypes-differ", dtypes.unlike_dtypes, dtypes.one_dtype),
    rule("promotion-not-allowed", promotion.refused_promotion, promotion.convert),
    rule("lax-shapes-differ", lax_shapes.unlike_shapes, lax_shapes.broadcast),
    rule("float-on-tracer", match.float_of, fix.drop_conversion),
    rule("int-on-tracer", match.int_of, fix.to_integer),
    rule("item-on-tracer", match.item, fix.drop_method),
    rule("tolist-on-tracer", match.tolist, fix.drop_method),
    rule("python-math-on-tracer", match.python_math, fix.own_function),
    rule("format-of-tracer", match.format_of, fix.print_at_run_time),
    rule("array-in-json", serialised.array_in_json, serialised.convert_arrays),
    rule("array-as-number", single.many_for_one, single.take_single),
    rule("scipy-call-on-tracer", match.scipy_call, fix.own_function),
    rule("traced-index-into-numpy", match.index_into_numpy, fix.table_to_array),
    rule("traced-index-into-list", match.index_into_list, fix.list_to_array),
    rule("traced-dict-key", match.dict_key, fix.dict_to_array),
    rule("numpy-call-on-tracer", match.numpy_call, fix.own_function),
)
FINDING_FIXES = (FindingFix("item-on-tracer", fix.drop_method_of_finding),)
