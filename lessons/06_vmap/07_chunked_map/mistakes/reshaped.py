# expects: check jaxpr
# says: No call ran: the number of examples need not be a multiple of the chunk size, so a plain
#     reshape is not enough.
"""Trusts that the chunks divide the batch."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    pieces = xs.reshape(-1, batch, *xs.shape[1:])
    out = jax.lax.map(jax.vmap(f), pieces)
    return out.reshape(-1, *out.shape[2:])
