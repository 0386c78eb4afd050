# expects: numpy-call-on-tracer at 8
"""Chooses with NumPy."""

import numpy as np


def soft_shrink(x, lam):
    return np.where(x > lam, x - lam, np.where(x < -lam, x + lam, 0))
