# expects: check values
# says: Your answer is shorter than `xs`: the remainder is missing. Either fill `xs` up to a
#     multiple of `batch` and cut the answer, or compute the remainder after the loop.
"""Omits the remainder."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = len(xs) // batch
    pieces = xs[: n * batch].reshape(n, batch, *xs.shape[1:])
    out = jax.lax.map(jax.vmap(f), pieces)
    return out.reshape(n * batch, *out.shape[2:])
