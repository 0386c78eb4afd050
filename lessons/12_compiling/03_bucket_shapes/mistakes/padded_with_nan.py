# expects: check values
"""Pads with NaN."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.full((size, *x.shape[1:]), np.nan, np.float32)
        padded[:n] = x
        return compiled(padded, np.arange(size) < n)

    return g
