# expects: check vmap
# says: Your rule batches the function whose rule it is, so it calls itself without end. Batch the
#     plain solver.
"""Batches the function whose rule it is."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    axes = tuple(0 if batched else None for batched in in_batched)
    return jax.vmap(solve_one, in_axes=axes)(A, b), True
