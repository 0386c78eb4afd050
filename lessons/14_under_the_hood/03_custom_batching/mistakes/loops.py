# expects: check one-call
# says: Your answers are right, but the program grows with the batch: one system is solved after
#     the other.
"""Solves one after the other in Python."""

import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    rows = []
    for i in range(axis_size):
        matrix = A[i] if in_batched[0] else A
        side = b[i] if in_batched[1] else b
        rows.append(jnp.linalg.solve(matrix, side))
    return jnp.stack(rows), True
