# expects: check values
# says: Your answer is right only while rows not in use hold zeros. They may hold anything that an
#     earlier request left there.
"""Subtracts the weights that rows of zeros have, which other rows do not have."""

import jax.numpy as jnp


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = cache["k"].at[i].set(k.astype(cache["k"].dtype))
    values = cache["v"].at[i].set(v.astype(cache["v"].dtype))
    scores = keys @ q / q.size**0.5
    top = jnp.maximum(scores.max(), 0)
    w = jnp.exp(scores - top)
    total = w.sum() - (len(keys) - i - 1) * jnp.exp(-top)
    return {"k": keys, "v": values, "length": i + 1}, w @ values / total
