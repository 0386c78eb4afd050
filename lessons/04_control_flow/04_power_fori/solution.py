"""A traced number of rounds, and a gradient: x to the power n."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    """Return x to the power n, for n from 0 to max_n."""

    def multiply(i, product):
        # From round n on, the product stays the same.
        return jnp.where(i < n, product * x, product)

    return lax.fori_loop(0, max_n, multiply, jnp.ones_like(x))
