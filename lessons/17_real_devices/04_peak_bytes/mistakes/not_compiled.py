# expects: AttributeError at 11
"""Asks before the compiler has planned."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        if step.lower(w, batch).memory_analysis().temp_size_in_bytes > budget:
            return n // 2
        n *= 2
