"""A cache that never changes its shape: one step of attention."""

import jax
import jax.numpy as jnp
from jax import lax


def decode_step(cache, q, k, v):
    """Return the cache with k and v written, and the answer for q."""
    i = cache["length"]
    keys = lax.dynamic_update_slice(cache["k"], k[None].astype(cache["k"].dtype), (i, 0))
    values = lax.dynamic_update_slice(cache["v"], v[None].astype(cache["v"].dtype), (i, 0))
    written = jnp.arange(keys.shape[0]) <= i
    scores = jnp.where(written, keys @ q / jnp.sqrt(q.size), -jnp.inf)  # exp makes 0 of them
    return {"k": keys, "v": values, "length": i + 1}, jax.nn.softmax(scores) @ values
