# expects: check values
# says: Your answer goes by the bytes that the program moves, some of them several times. The
#     problem is about those that it holds.
"""Uses the bytes of the cost analysis."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        costs = step.lower(w, batch).compile().cost_analysis()
        if costs.get("bytes accessed", 0.0) > budget:
            return n // 2
        n *= 2
