# expects: check dtype
"""Multiplies by a NumPy array of no axes."""

import numpy as np


def halve(x):
    return x / np.array(2.0)
