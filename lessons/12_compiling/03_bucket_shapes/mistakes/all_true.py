# expects: check values
# says: Your mask says that the padding is real. It is true for the elements of `x` and false for
#     the zeros behind them.
"""A mask that says all of it is real."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)

    def g(x):
        n = x.shape[0]
        size = 1 << (n - 1).bit_length()
        padded = np.zeros((size, *x.shape[1:]), x.dtype)
        padded[:n] = x
        return compiled(padded, np.ones(size, bool))

    return g
