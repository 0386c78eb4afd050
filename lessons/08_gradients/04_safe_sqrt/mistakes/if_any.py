# expects: traced-bool-in-if at 8
"""Lets Python decide whether the vector is zero."""

import jax.numpy as jnp


def safe_norm(x):
    if jnp.all(x == 0):
        return jnp.zeros(x.shape[:-1])
    return jnp.linalg.norm(x, axis=-1)
