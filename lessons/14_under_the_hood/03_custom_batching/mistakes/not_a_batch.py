# expects: check vmap
# says: Your rule says that its result is not a batch, and it is one. The second thing it returns
#     is a boolean about the result.
"""Says that the result is not a batch, and it is one."""

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    axes = tuple(0 if batched else None for batched in in_batched)
    return jax.vmap(jnp.linalg.solve, in_axes=axes)(A, b), False
