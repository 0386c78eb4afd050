# expects: check inside-types
# says: Your function converts numbers but not tracers. A tracer has a type as well, and it may be
#     an integer or weak.
"""Converts with NumPy, and lets tracers through unconverted."""

import jax
import numpy as np


def stable(f):
    compiled = jax.jit(f)

    def g(x):
        if isinstance(x, jax.core.Tracer):
            return compiled(x)
        return compiled(np.float32(x))

    return g
