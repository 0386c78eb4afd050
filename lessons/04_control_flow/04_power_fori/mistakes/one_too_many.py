# expects: check values
# says: Your answer has one factor too many. The first round has the number 0: how many rounds
#     satisfy your condition?
"""Multiplies once too often."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(i, product):
        return jnp.where(i <= n, product * x, product)

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
