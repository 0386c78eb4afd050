# expects: check values
# says: Your answer includes rows that are not in use. Even a row of zeros has the weight
#     `exp(0)`.
"""Lets the unwritten rows take part."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = lax.dynamic_update_slice(cache["k"], k[None].astype(cache["k"].dtype), (i, 0))
    values = lax.dynamic_update_slice(cache["v"], v[None].astype(cache["v"].dtype), (i, 0))
    scores = keys @ q / jnp.sqrt(q.size)
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
