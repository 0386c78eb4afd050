# expects: check memory
# says: Your values are right, but all examples are computed at once: mapping over the chunks does
#     them side by side. Loop over the chunks.
"""Maps over the chunks too, which computes all at once."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    out = jax.vmap(jax.vmap(f))(filled.reshape(n, batch, *xs.shape[1:]))
    return out.reshape(n * batch, *out.shape[2:])[: len(xs)]
