# expects: check dtype
# says: Your answer is wider than `x`: the divisor has a floating dtype of its own. A whole number
#     would adopt that of `x`.
"""Counts in float32, which turns everything into float32."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = x > 0
    count = jnp.maximum(positive.sum(), 1).astype(jnp.float32)
    return jnp.where(positive, x, 0).sum() / count
