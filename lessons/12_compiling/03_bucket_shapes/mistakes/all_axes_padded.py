# expects: check values
# says: Your answer pads every axis. Only axis 0 gets longer; the others stay as they are.
"""Pads all axes alike."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        return compiled(jnp.pad(x, (0, size - n)), jnp.arange(size) < n)

    return g
