# expects: check values
# says: Your answer refuses a batch that takes exactly the budget. It fits.
"""Leaves a byte free."""

import jax


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((n, *row.shape), row.dtype)
        plan = step.lower(w, batch).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
        if held - plan.alias_size_in_bytes >= budget:
            return n // 2
        n *= 2
