# expects: check values
# says: Your answer has one entry for each chunk: `f` was called with a chunk. `f` takes one
#     example.
"""Calls the function for one example with each chunk."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    out = jax.lax.map(f, filled.reshape(n, batch, *xs.shape[1:]))
    return out
