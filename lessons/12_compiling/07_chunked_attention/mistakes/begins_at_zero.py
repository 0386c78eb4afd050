# expects: check values
# says: Your answer is right for small scores only. The exponentials have to be measured against the
#     largest score so far, which starts at minus infinity.
"""Begins with a largest score of 0, and forgets to shrink by it."""

import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape
    queries = q.astype(jnp.float32) / d**0.5

    def step(carry, piece):
        top, total, acc = carry
        keys, values = piece
        s = queries @ keys.T
        new = jnp.maximum(top, s.min(axis=1) * 0)
        shrink = jnp.exp(top - new)  # the past was measured against the old largest
        w = jnp.exp(s - new[:, None])
        total = total * shrink + w.sum(axis=1)
        return (new, total, acc * shrink[:, None] + w @ values), None

    start = (jnp.zeros(T), jnp.zeros(T), jnp.zeros((T, d)))
    pieces = [x.astype(jnp.float32).reshape(-1, chunk, d) for x in (k, v)]
    (_, total, acc), _ = lax.scan(step, start, tuple(pieces))
    return (acc / total[:, None]).astype(q.dtype)
