# expects: check memory
"""Takes the size of a chunk for the number of chunks."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    return jax.lax.map(f, xs, batch_size=-(-len(xs) // batch) * 2)
