"""The mask is made inside, from a length that is data."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    @jax.jit
    def masked(padded, n):
        return f(padded, jnp.arange(padded.shape[0]) < n)

    def g(x):
        n, size = x.shape[0], 1
        while size < n:
            size *= 2
        padding = [(0, size - n), *[(0, 0)] * (x.ndim - 1)]
        return masked(np.pad(np.asarray(x), padding), np.int32(n))

    return g
