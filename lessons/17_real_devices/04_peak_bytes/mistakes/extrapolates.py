# expects: check values
# says: Your answer is computed from the programs for one row and for two. Memory does not grow
#     in a straight line: compile for the size itself.
"""Draws a line through two points."""

import jax


def largest_batch(step, w, row, budget):
    def need(n):
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        plan = step.lower(w, batch).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.temp_size_in_bytes
        return held - plan.alias_size_in_bytes

    one, two = need(1), need(2)
    n = 1
    while one + (n - 1) * (two - one) <= budget:
        n *= 2
    return n // 2
