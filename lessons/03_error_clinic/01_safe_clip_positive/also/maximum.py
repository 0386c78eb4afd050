"""The larger of x and 0."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.maximum(x, 0)
