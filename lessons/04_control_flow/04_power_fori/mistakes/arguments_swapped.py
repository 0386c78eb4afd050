# expects: check values
# says: Your answer multiplies the number of the round, not the product so far. Check which
#     argument of the body comes first.
"""Mistakes the number of the round for the product."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def multiply(product, i):
        return jnp.where(i < n, product * x, product)

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
