# expects: check traces
# says: Your function is traced for every length. Something that differs from length to length is
#     static; the mask is data and need not be.
"""The length is static, so each has its own program."""

import jax
import jax.numpy as jnp
import numpy as np


from functools import partial


def bucketed(f):
    @partial(jax.jit, static_argnums=1)
    def masked(padded, n):
        return f(padded, jnp.arange(padded.shape[0]) < n)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.zeros((size, *x.shape[1:]), x.dtype)
        padded[:n] = x
        return masked(padded, n)

    return g
