# expects: check values
# says: Your answer becomes 0 as soon as a surplus round runs. A round that should have no effect
#     on a product must not multiply it by 0.
"""Multiplies by the mask, and ends at 0."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(i, product):
        return product * x * (i < n)

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
