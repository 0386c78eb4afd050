# expects: check values
# says: Your answer leaves the new row out: at this step, `length` is still the old one. A word
#     attends to itself too.
"""Leaves the new row out, with a large negative score in place of minus infinity."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = lax.dynamic_update_slice(cache["k"], k[None].astype(cache["k"].dtype), (i, 0))
    values = lax.dynamic_update_slice(cache["v"], v[None].astype(cache["v"].dtype), (i, 0))
    written = jnp.arange(keys.shape[0]) < i
    scores = jnp.where(written, keys @ q / jnp.sqrt(q.size), -1e30)
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
