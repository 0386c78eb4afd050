# expects: traced-axis-arg at 11
"""Hopes that NumPy is less strict; it passes the work back to JAX."""

import jax
import numpy as np


def make_reducer():
    @jax.jit
    def spread(x, axis):
        return np.max(x, axis) - np.min(x, axis)

    return spread
