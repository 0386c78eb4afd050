"""An array of halves like x."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.full_like(x, 0.5)
