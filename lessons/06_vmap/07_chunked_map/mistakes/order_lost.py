# expects: check values
"""Deals the examples out like cards."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    dealt = filled.reshape(batch, n, *xs.shape[1:]).swapaxes(0, 1)
    out = jax.lax.map(jax.vmap(f), dealt)
    return out.reshape(n * batch, *out.shape[2:])[: len(xs)]
