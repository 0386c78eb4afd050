# expects: check shared-side
# says: Your rule fails where the right-hand side is one for all. It then has no axis of the
#     batch.
"""Handles a shared matrix, and not a shared side."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    if not in_batched[0]:
        return jnp.linalg.solve(A, b.T).T, True
    return jax.vmap(jnp.linalg.solve)(A, b), True
