# expects: traced-bool-in-if at 8
"""Asks Python which it is."""

import jax.numpy as jnp


def apply_kth(i, x):
    if i <= 0:
        return jnp.sin(x)
    elif i == 1:
        return jnp.cos(x)
    return jnp.tanh(x)
