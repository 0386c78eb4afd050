# expects: numpy-call-on-tracer at 9
"""Converts to NumPy first."""

import numpy as np
import scipy.special


def bessel(x):
    return scipy.special.k0(np.asarray(x))
