# expects: check dtype
"""Multiplies by a NumPy number of 32 bits."""

import numpy as np


def halve(x):
    return x * np.float32(0.5)
