# expects: check values
# says: Your answer is the mean of the answers of the chunks. Chunks with small scores should
#     count for less, so their weights have to be measured against the same largest score.
"""Averages the softmaxes of the chunks."""

import jax
import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    d = q.shape[1]

    def one(piece):
        keys, values = piece
        return jax.nn.softmax(q @ keys.T / d**0.5) @ values

    return lax.map(one, (k.reshape(-1, chunk, d), v.reshape(-1, chunk, d))).mean(axis=0)
