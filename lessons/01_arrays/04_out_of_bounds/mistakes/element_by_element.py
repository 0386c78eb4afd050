# expects: traced-bool-in-ternary at 8
"""Asks for each index whether it is there."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.array([x[i] if -len(x) <= i < len(x) else fill for i in idx])
