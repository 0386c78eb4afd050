# expects: check traces
# says: Your function is traced for every length: the compiled function sees the array before it
#     is padded. Padding has to happen outside.
"""Pads in the compiled function."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    @jax.jit
    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padding = [(0, size - n)] + [(0, 0)] * (x.ndim - 1)
        return f(jnp.pad(x, padding), jnp.arange(size) < n)

    return g
