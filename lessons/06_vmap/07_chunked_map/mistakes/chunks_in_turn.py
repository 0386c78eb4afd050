# expects: check values
"""Hands each chunk to the function for one."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    out = jax.lax.map(f, filled.reshape(n, batch, *xs.shape[1:]))
    return out
