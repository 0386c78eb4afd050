# expects: check memory
# says: Your values are right, but the chunks are too large: `batch` is the size of a chunk, not
#     their number.
"""Confuses the size of a chunk with the number of chunks."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    return jax.lax.map(f, xs, batch_size=-(-len(xs) // batch) * 2)
