# expects: traced-bool-in-if at 10
"""Uses Python's `if` to decide whether the round counts."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(i, product):
        if i < n:
            return product * x
        return product

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
