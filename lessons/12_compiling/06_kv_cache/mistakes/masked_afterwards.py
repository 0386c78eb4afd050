# expects: check values
# says: The weights in your answer do not sum to 1: rows not in use are dropped after the softmax
#     has counted them.
"""Removes the weights of unused rows after the softmax."""

import jax
import jax.numpy as jnp


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = cache["k"].at[i].set(k.astype(cache["k"].dtype))
    values = cache["v"].at[i].set(v.astype(cache["v"].dtype))
    scores = keys @ q / q.size**0.5
    w = jax.nn.softmax(scores) * (jnp.arange(len(keys)) <= i)
    return {"k": keys, "v": values, "length": i + 1}, w @ values
