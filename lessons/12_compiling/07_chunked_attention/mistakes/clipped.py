# expects: check values
# says: Your answer is right for small scores only: large ones are clipped, so keys with different
#     scores get the same weight. Measure them against the largest score instead.
"""Clips the scores, so that their exponentials are finite."""

import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape
    queries = q.astype(jnp.float32) / d**0.5

    def step(carry, piece):
        total, acc = carry
        keys, values = piece
        w = jnp.exp(jnp.clip(queries @ keys.T, -80, 80))
        return (total + w.sum(axis=1), acc + w @ values), None

    pieces = [x.astype(jnp.float32).reshape(-1, chunk, d) for x in (k, v)]
    (total, acc), _ = lax.scan(step, (jnp.zeros(T), jnp.zeros((T, d))), tuple(pieces))
    return (acc / total[:, None]).astype(q.dtype)
