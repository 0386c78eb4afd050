# expects: check values
"""Multiplies by the mask, and ends at 0."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(i, product):
        return product * x * (i < n)

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
