"""A rule for the batch: solve one system, or many in one call."""

import jax.numpy as jnp
from jax.custom_batching import custom_vmap


# TODO: this promises a rule for the batch, and has none.
@custom_vmap
def solve_one(A, b):
    """Return the x for which A @ x is b."""
    return jnp.linalg.solve(A, b)
