# expects: check values
# says: Your answer is right for small scores only. The exponentials have to be measured against the
#     largest score so far, which starts at minus infinity.
"""Carries no largest score."""

import jax
import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape

    def step(carry, piece):
        total, acc = carry
        keys, values = piece
        w = jnp.exp(q @ keys.T / d**0.5)
        return (total + w.sum(axis=1), acc + w @ values), None

    start = (jnp.zeros(T), jnp.zeros((T, d)))
    pieces = (k.reshape(-1, chunk, d), v.reshape(-1, chunk, d))
    (total, acc), _ = lax.scan(step, start, pieces)
    return (acc / total[:, None]).astype(q.dtype)
