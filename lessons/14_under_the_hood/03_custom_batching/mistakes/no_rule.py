# expects: custom-rule-missing at 9
"""Decorates, and defines no rule."""

import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)
