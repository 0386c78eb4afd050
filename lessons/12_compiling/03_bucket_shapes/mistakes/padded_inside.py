# expects: check traces
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
