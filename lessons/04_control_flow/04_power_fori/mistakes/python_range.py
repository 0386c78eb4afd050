# expects: range-of-tracer at 9
"""Loops in Python over a traced number."""

import jax.numpy as jnp


def power(x, n, max_n):
    product = jnp.ones_like(x)
    for _ in range(n):
        product = product * x
    return product
