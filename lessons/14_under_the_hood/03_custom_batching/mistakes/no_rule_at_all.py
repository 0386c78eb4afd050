# expects: check primitive
# says: Your answers are right, but `jax.vmap` does what it does with any function. This lesson
#     asks for a rule of your own.
"""Leaves the batch to jax.vmap."""

import jax.numpy as jnp


def solve_one(A, b):
    return jnp.linalg.solve(A, b)
