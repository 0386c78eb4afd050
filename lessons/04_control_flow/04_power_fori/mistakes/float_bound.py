# expects: TypeError at 10
"""Turns the bound into a float."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    rounds = max_n / 1
    return lax.fori_loop(
        0, rounds, lambda i, p: jnp.where(i < n, p * x, p), jnp.ones_like(x)
    )
