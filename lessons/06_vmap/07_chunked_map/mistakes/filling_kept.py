# expects: check values
# says: Your answer is longer than `xs`: it keeps the answers for the examples that were filled
#     in.
"""Fills up, and keeps the answers for what was filled in."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = -(-len(xs) // batch)
    filled = jnp.pad(xs, [(0, n * batch - len(xs))] + [(0, 0)] * (xs.ndim - 1))
    out = jax.lax.map(jax.vmap(f), filled.reshape(n, batch, *xs.shape[1:]))
    return out.reshape(n * batch, *out.shape[2:])
