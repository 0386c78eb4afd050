# expects: check values
# says: Your answer is too small where the weights are donated: the new weights lie in the memory
#     of the old ones, and you count them twice.
"""Counts reused buffers twice."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        plan = step.lower(w, batch).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
        if held > budget:
            return n // 2
        n *= 2
