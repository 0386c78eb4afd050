"""No loop: the product of n factors x, and ones."""

import jax.numpy as jnp


def power(x, n, max_n):
    return jnp.prod(jnp.where(jnp.arange(max_n) < n, x, 1))
