# expects: check shared-matrix
# says: Your rule takes an axis of the batch from an argument that has none. `in_batched` says
#     which arguments are batched.
"""Takes for granted that both arguments are batched."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    return jax.vmap(jnp.linalg.solve)(A, b), True
