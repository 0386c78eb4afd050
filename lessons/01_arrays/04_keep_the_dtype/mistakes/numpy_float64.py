# expects: check dtype
"""Multiplies by a NumPy number of 64 bits."""

import numpy as np


def halve(x):
    return x * np.float64(0.5)
