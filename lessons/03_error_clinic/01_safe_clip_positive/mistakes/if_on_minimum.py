# expects: traced-bool-in-if at 8
"""Asks first whether there is anything to do."""

import jax.numpy as jnp


def safe_clip_positive(x):
    if x.min() < 0:
        return jnp.maximum(x, 0)
    return x
