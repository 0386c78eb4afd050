# expects: traced-bool-in-if at 8
"""Uses Python's `if` on a whole array."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    if x > lam:
        return x - lam
    elif x < -lam:
        return x + lam
    return jnp.zeros_like(x)
