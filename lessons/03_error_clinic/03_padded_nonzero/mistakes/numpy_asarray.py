# expects: numpy-call-on-tracer at 8
"""Lets NumPy look at the values."""

import numpy as np


def positive_indices(x, size):
    found = np.flatnonzero(np.asarray(x) > 0)
    return np.pad(found, (0, size), constant_values=-1)[:size]
