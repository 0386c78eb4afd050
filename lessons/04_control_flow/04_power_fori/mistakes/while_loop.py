# expects: reverse-mode-through-while at 13
"""Counts down in a while loop."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    def step(carry):
        product, left = carry
        return product * x, left - 1

    return lax.while_loop(lambda c: c[1] > 0, step, (jnp.ones_like(x), n))[0]
