# expects: check loop
# says: Your numbers are right, but the pieces are not in a loop of JAX. A Python loop writes
#     every piece into the program.
"""A loop of Python over chunks of queries."""

import jax
import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape
    q32, k32, v32 = (x.astype(jnp.float32) for x in (q, k, v))
    rows = []
    for i in range(0, T, chunk):
        rows.append(jax.nn.softmax(q32[i : i + chunk] @ k32.T / d**0.5) @ v32)
    return jnp.concatenate(rows).astype(q.dtype)
