# expects: numpy-call-on-tracer at 8
"""Lets NumPy read, which would raise."""

import numpy as np


def safe_take(x, idx, fill):
    return np.asarray(x)[idx]
