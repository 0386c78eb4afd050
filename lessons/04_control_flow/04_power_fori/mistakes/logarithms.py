# expects: check values
"""Goes through logarithms, which negative numbers have none of."""

import jax.numpy as jnp


def power(x, n, max_n):
    return jnp.exp(n * jnp.log(x))
