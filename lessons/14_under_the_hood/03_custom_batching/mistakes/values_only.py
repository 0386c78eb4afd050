# expects: check vmap
# says: Your rule returns its result alone. It returns two things: the result, and whether that is
#     a batch.
"""Returns what it solved, and not whether that is a batch."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    axes = tuple(0 if batched else None for batched in in_batched)
    return jax.vmap(jnp.linalg.solve, in_axes=axes)(A, b)
