# expects: check values
# says: Your cache gets longer with every step. Its shape stays: the new row is written into a
#     free one.
"""Lets the cache grow."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = jnp.concatenate([cache["k"], k[None]])
    values = jnp.concatenate([cache["v"], v[None]])
    written = jnp.arange(keys.shape[0]) <= i
    scores = jnp.where(written, keys @ q / jnp.sqrt(q.size), -jnp.inf)
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
