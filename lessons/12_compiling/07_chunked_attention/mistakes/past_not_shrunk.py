# expects: check values
# says: Your answer is right for one chunk and wrong for several. When the largest score rises,
#     everything that was summed before shrinks.
"""Forgets to correct the past."""

import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape
    queries = q.astype(jnp.float32) / d**0.5

    def step(carry, piece):
        top, total, acc = carry
        keys, values = piece
        s = queries @ keys.T
        new = jnp.maximum(top, s.max(axis=1))
        w = jnp.exp(s - new[:, None])
        total = total + w.sum(axis=1)
        return (new, total, acc + w @ values), None

    start = (jnp.full(T, -jnp.inf), jnp.zeros(T), jnp.zeros((T, d)))
    pieces = [x.astype(jnp.float32).reshape(-1, chunk, d) for x in (k, v)]
    (_, total, acc), _ = lax.scan(step, start, tuple(pieces))
    return (acc / total[:, None]).astype(q.dtype)
