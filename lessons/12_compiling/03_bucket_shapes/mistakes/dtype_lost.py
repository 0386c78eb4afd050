# expects: check dtype
# says: Your padded array has another dtype than `x`. The array of zeros decides it.
"""Pads with an array of floats."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.zeros((size, *x.shape[1:]))
        padded[:n] = x
        return compiled(padded, np.arange(size) < n)

    return g
