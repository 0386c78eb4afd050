# expects: check vmap
# says: Your rule takes the arguments alone. It is also given the size of the batch and which
#     arguments are batched, before them.
"""Takes the arguments of the function, and nothing more."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(A, b):
    return jax.vmap(jnp.linalg.solve)(A, b), True
