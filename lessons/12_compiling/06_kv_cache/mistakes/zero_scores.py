# expects: check values
# says: Your answer gives rows that are not in use a score of 0, and so a weight of `exp(0)`. Only
#     a score of minus infinity has no weight.
"""Masks with zeros."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = lax.dynamic_update_slice(cache["k"], k[None].astype(cache["k"].dtype), (i, 0))
    values = lax.dynamic_update_slice(cache["v"], v[None].astype(cache["v"].dtype), (i, 0))
    written = jnp.arange(keys.shape[0]) <= i
    scores = written * (keys @ q) / jnp.sqrt(q.size)
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
