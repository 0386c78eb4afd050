# expects: numpy-call-on-tracer at 8
"""Builds the mask with NumPy, to make it concrete."""

import numpy as np


def mean_of_positive(x):
    return x[np.asarray(x) > 0].sum() / max(x.size, 1)
