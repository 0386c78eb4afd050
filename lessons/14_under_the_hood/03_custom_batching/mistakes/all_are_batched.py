# expects: check shared-matrix
"""Takes for granted that both come in many."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    return jax.vmap(jnp.linalg.solve)(A, b), True
