# expects: check values
# says: Your mask leaves out elements that are 0. Zeros of `x` are real; the mask depends on the
#     length alone.
"""Takes what is not 0 for what is real."""

import jax
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.zeros((size, *x.shape[1:]), x.dtype)
        padded[:n] = x
        return compiled(padded, (padded != 0).reshape(size, -1).any(axis=1))

    return g
