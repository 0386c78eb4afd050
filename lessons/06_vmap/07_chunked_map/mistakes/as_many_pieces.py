# expects: check memory-of-small-chunks
# says: Your values are right, but with small chunks too many examples are computed at once:
#     `batch` is the size of a piece, not the number of pieces.
"""Makes `batch` pieces instead of pieces of `batch`."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    count = min(batch, len(xs))
    size = -(-len(xs) // count)
    filled = jnp.concatenate([xs, jnp.repeat(xs[-1:], count * size - len(xs), axis=0)])
    out = jax.lax.map(jax.vmap(f), filled.reshape(count, size, *xs.shape[1:]))
    return out.reshape(count * size, *out.shape[2:])[: len(xs)]
