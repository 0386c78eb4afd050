# expects: check values
# says: Your answer pads everything to one size. The problem asks for the smallest power of two
#     that holds `n`.
"""One size for all."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        padded = np.zeros((32, *x.shape[1:]), x.dtype)
        padded[:n] = x
        return compiled(padded, np.arange(32) < n)

    return g
