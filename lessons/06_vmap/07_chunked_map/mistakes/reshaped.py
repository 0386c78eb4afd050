# expects: reshape-size-mismatch at 9
"""Trusts that the chunks divide the batch."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    pieces = xs.reshape(-1, batch, *xs.shape[1:])
    out = jax.lax.map(jax.vmap(f), pieces)
    return out.reshape(-1, *out.shape[2:])
