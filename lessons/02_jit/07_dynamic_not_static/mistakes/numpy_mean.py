# expects: numpy-call-on-tracer at 11
"""Converts to NumPy inside the compiled function."""

import jax
import numpy as np


def make_scaled():
    @jax.jit
    def g(x, s):
        x = np.asarray(x)
        return x.mean() + s * (x - x.mean())

    return g
