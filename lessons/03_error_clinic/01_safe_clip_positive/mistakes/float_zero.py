# expects: check dtype
# says: Your answer turns integers into floats: a float took part in the choice. What should adopt
#     the dtype of `x` must have none of its own.
"""Writes a float zero, which turns integers into floats."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0.0, x)
