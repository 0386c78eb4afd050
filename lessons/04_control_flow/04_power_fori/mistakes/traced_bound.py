# expects: reverse-mode-through-while at 9
"""Loops as often as the data says."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    return lax.fori_loop(0, n, lambda i, product: product * x, jnp.ones_like(x))
