# expects: check values
# says: Your answer is too large where a gradient is taken: the peak that a CPU reports leaves the
#     temporary arrays out.
"""Trusts the field with the promising name."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        plan = step.lower(w, batch).compile().memory_analysis()
        if plan.peak_memory_in_bytes > budget:
            return n // 2
        n *= 2
