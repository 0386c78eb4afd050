"""All powers in a row, and then the one that is asked for."""

import jax.numpy as jnp


def power(x, n, max_n):
    factors = jnp.full(max_n + 1, x).at[0].set(1)
    return jnp.cumprod(factors)[n]
