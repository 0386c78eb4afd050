# expects: check no-arrays
# says: Your answer makes each batch that it tests. Shape and dtype are all that the compiler needs.
"""Allocates each batch, where its shape and dtype would be enough."""

import jax
import jax.numpy as jnp


def largest_batch(step, w, row, budget):
    n = 1
    while True:
        plan = step.lower(w, jnp.zeros((n, *row.shape), row.dtype)).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
        if held - plan.alias_size_in_bytes > budget:
            return n // 2
        n *= 2
