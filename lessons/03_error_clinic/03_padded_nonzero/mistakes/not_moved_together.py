# expects: check values
# says: Your answer leaves the finds where they lie in `x`. They come first, and the padding after
#     them.
"""Marks the finds where they are, not at the front."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.where(x > 0, jnp.arange(x.size), -1)[:size]
