# expects: check one-matrix
# says: Your answers are right, but a shared matrix is copied for every side, and each copy is
#     factored. One matrix can meet many sides in one call, if each side is a column of a table.
"""Copies the shared matrix for each side, and so factors each copy."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    if not in_batched[0]:
        A = jnp.broadcast_to(A, (axis_size, *A.shape))
    if not in_batched[1]:
        b = jnp.broadcast_to(b, (axis_size, *b.shape))
    return jax.vmap(jnp.linalg.solve)(A, b), True
