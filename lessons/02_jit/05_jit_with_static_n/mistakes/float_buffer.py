# expects: check dtype
# says: Your answer does not keep the dtype of `x`: it met an array with a dtype of its own.
"""Fills a buffer of floats, whatever x is."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    size = x.shape[0]
    out = jnp.zeros(size * int(n))
    for i in range(int(n)):
        out = out.at[i * size : (i + 1) * size].set(x)
    return out
