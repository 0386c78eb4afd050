# expects: check traces
# says: Your function is traced for every call. `jax.jit` keeps its programs with the function it
#     was given, so it has to be called once, outside of `g`.
"""Compiles a new function in each call."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.zeros((size, *x.shape[1:]), x.dtype)
        padded[:n] = x
        return jax.jit(lambda x, mask: f(x, mask))(padded, np.arange(size) < n)

    return g
