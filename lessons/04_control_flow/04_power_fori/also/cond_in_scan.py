"""Skips the multiplication instead of discarding it."""

import jax
import jax.numpy as jnp


def power(x, n, max_n):
    def step(product, i):
        return jax.lax.cond(i < n, lambda: product * x, lambda: product), None

    return jax.lax.scan(step, jnp.ones_like(x), jnp.arange(max_n))[0]
