"""NumPy on a tracer: sines and cosines of many frequencies."""

import numpy as np


def fourier_features(x, freqs):
    """Return the sines and then the cosines of 2 pi x f, a row for each element of x."""
    # TODO: a colleague wrote this for NumPy; make it run under jit.
    angles = 2 * np.pi * np.outer(x, freqs)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
