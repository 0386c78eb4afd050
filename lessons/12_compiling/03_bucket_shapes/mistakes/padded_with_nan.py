# expects: check values
# says: Your padding is NaN, and the problem asks for zeros. NaN also turns integers into floats.
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
