# expects: check values
# says: Your scores are divided by the size. Its square root keeps their spread, whatever the size
#     is.
"""Divides by the size."""

import jax
import jax.numpy as jnp

def attend(q, k, v):
    """Return for each place a mean of v up to there. All have shape (heads, length, size)."""
    scores = q @ jnp.swapaxes(k, -1, -2) / q.shape[-1]
    places = jnp.arange(q.shape[-2])
    # Before the softmax: what is left out gets weight 0, and the other weights add up to 1.
    scores = jnp.where(places <= places[:, None], scores, -jnp.inf)
    return jax.nn.softmax(scores, axis=-1) @ v
