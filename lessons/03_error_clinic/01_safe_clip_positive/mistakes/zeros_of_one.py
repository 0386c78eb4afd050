# expects: check dtype
# says: Your answer turns integers into floats: an array with a dtype of its own took part in the
#     choice. What should adopt the dtype of `x` must have none of its own.
"""Compares with an array of one zero, which is a float."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.maximum(x, jnp.zeros((1,) * x.ndim))
