"""Rows set by index, and a softmax that knows where."""

import jax
import jax.numpy as jnp


def decode_step(cache, q, k, v):
    i = cache["length"]
    keys = cache["k"].at[i].set(k.astype(cache["k"].dtype))
    values = cache["v"].at[i].set(v.astype(cache["v"].dtype))
    scores = jnp.einsum("td,d->t", keys.astype(q.dtype), q) * q.size**-0.5
    weights = jax.nn.softmax(scores, where=jnp.arange(len(keys)) <= i)
    return {**cache, "k": keys, "v": values, "length": i + 1}, weights @ values.astype(q.dtype)
