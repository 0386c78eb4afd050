# expects: check values
# says: Your answer is never 0. If one row does not fit, no batch does.
"""Assumes that one row fits."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((2 * n, *row.shape), row.dtype)
        plan = step.lower(w, batch).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
        if held - plan.alias_size_in_bytes > budget:
            return n
        n *= 2
