# expects: check shared-matrix
# says: With one matrix and many sides, your sides go into the solver as rows. It takes them as
#     columns.
"""Puts the sides in as rows, and they are columns."""

import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    if not in_batched[0]:
        return jnp.linalg.solve(A, b), True
    if not in_batched[1]:
        b = jnp.broadcast_to(b, (axis_size, *b.shape))
    return jnp.linalg.solve(A, b[..., None])[..., 0], True
