# expects: check shared-matrix
# says: With one matrix and many sides, your answers come out as columns. The batch lies along
#     axis 0 of the result.
"""Puts the sides in as columns, and returns the answers as columns."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    if not in_batched[0]:
        return jnp.linalg.solve(A, b.T), True
    axes = (0, 0 if in_batched[1] else None)
    return jax.vmap(jnp.linalg.solve, in_axes=axes)(A, b), True
