# expects: numpy-call-on-tracer at 9
"""Rounds with NumPy, to avoid a gradient there."""

import jax
import numpy as np


def round_ste(x):
    return x + jax.lax.stop_gradient(np.rint(x) - x)
