# expects: check values
# says: Your answer subtracts one largest score for many queries. A query whose scores are all far
#     below it gets 0 / 0. Take the largest score of each query: `axis=1`, and keep the axis.
"""Subtracts the largest score of a whole chunk of queries."""

import jax
import jax.numpy as jnp


def attention(q, k, v, chunk):
    def answer(queries):
        scores = (queries @ k.T / jnp.sqrt(q.shape[1])).astype(jnp.float32)
        powers = jnp.exp(scores - scores.max())
        return (powers / powers.sum(axis=1, keepdims=True) @ v).astype(q.dtype)

    answers = jax.lax.map(answer, q.reshape(-1, chunk, q.shape[1]))
    return answers.reshape(q.shape)
