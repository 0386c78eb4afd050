# expects: check dtype
# says: Your answer has 32 bits even when `x` has 16: something in your expression has a dtype of
#     its own, and the wider dtype wins.
"""Multiplies by a NumPy number of 64 bits."""

import numpy as np


def halve(x):
    return x * np.float64(0.5)
