# expects: traced-bool-in-chained-comparison at 9
"""Writes the range as one comparison."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    n = len(x)
    return jnp.where(-n <= idx < n, x[idx], fill)
