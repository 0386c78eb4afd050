"""The same with scan."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def step(product, i):
        return jnp.where(i < n, product * x, product), None

    product, _ = lax.scan(step, jnp.ones_like(x), jnp.arange(max_n))
    return product
