# expects: inplace-assignment at 11
"""Assigns to a row."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    i = cache["length"]
    cache["k"][i] = k
    cache["v"][i] = v
    keys, values = cache["k"], cache["v"]
    written = jnp.arange(keys.shape[0]) <= i
    scores = jnp.where(written, keys @ q / jnp.sqrt(q.size), -jnp.inf)
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
