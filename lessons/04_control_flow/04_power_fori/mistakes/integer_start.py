# expects: scan-carry-dtype-change at 12
"""Begins with an integer that has a dtype."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(i, product):
        return jnp.where(i < n, product * x, product)

    return lax.fori_loop(0, max_n, multiply, jnp.int32(1))
