# expects: check values
# says: Your size may be smaller than `n`, and then elements are lost. Round up.
"""Rounds to the nearest power of two, which may be below."""

import jax
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 2 ** round(np.log2(n))
        padded = np.zeros((size, *x.shape[1:]), x.dtype)
        padded[:n] = x[:size]
        return compiled(padded, np.arange(size) < n)

    return g
