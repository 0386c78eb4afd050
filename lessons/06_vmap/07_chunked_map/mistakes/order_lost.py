# expects: check values
# says: Your answer has the right numbers in the wrong order: neighbouring examples should be in
#     the same chunk, or be put back where they were.
"""Deals out the examples like cards."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    dealt = filled.reshape(batch, n, *xs.shape[1:]).swapaxes(0, 1)
    out = jax.lax.map(jax.vmap(f), dealt)
    return out.reshape(n * batch, *out.shape[2:])[: len(xs)]
