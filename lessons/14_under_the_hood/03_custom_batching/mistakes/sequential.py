# expects: check one-call
"""Takes the ready-made rule, which is a loop."""

import jax.numpy as jnp
from jax.custom_batching import sequential_vmap


@sequential_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)
