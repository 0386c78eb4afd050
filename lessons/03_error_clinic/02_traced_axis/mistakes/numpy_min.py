# expects: traced-axis-arg at 11
"""Hopes that numpy is less strict; it hands the work back to JAX."""

import jax
import numpy as np


def make_reducer():
    @jax.jit
    def spread(x, axis):
        return np.max(x, axis) - np.min(x, axis)

    return spread
