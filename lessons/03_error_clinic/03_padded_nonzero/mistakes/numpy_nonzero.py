# expects: numpy-call-on-tracer at 8
"""Asks NumPy to search, which has no values to look at either."""

import numpy as np


def positive_indices(x, size):
    found = np.nonzero(x > 0)[0]
    return found[:size]
