# expects: check memory
"""Makes the whole table."""

import jax
import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    scores = jnp.float32(q) @ jnp.float32(k).T / q.shape[1] ** 0.5
    return (jax.nn.softmax(scores) @ jnp.float32(v)).astype(q.dtype)
