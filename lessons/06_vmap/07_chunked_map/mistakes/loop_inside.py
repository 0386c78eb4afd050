# expects: check chunks
# says: Your values are right, but only one example is computed at a time. Map over each chunk.
"""Loops inside the chunks instead of over them."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    out = jax.lax.map(lambda chunk: jax.lax.map(f, chunk), filled.reshape(n, batch, *xs.shape[1:]))
    return out.reshape(n * batch, *out.shape[2:])[: len(xs)]
