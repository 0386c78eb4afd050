# expects: numpy-call-on-tracer at 11
"""Converts with NumPy, which is impossible for a tracer."""

import jax
import numpy as np

def stable(f):
    compiled = jax.jit(f)

    def g(x):
        return compiled(np.float32(x))

    return g
