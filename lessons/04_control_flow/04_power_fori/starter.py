"""A traced number of rounds, and a gradient: x to the power n."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    """Return x to the power n, for n from 0 to max_n."""

    def multiply(i, product):
        return product * x

    # TODO: with a traced upper bound, this loop has no gradient under jit.
    return lax.fori_loop(0, n, multiply, jnp.ones_like(x))
