# expects: check chunks
# says: Your values are right, but only one example is computed at a time. Map over each chunk.
"""Loops over single examples."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    return jax.lax.map(f, xs)
