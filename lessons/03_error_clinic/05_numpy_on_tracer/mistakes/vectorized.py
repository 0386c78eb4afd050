# expects: numpy-call-on-tracer at 10
"""Lets numpy apply a function to each pair."""

import numpy as np

SINES = np.vectorize(lambda t, f: np.sin(2 * np.pi * t * f))


def fourier_features(x, freqs):
    return SINES(x[:, None], freqs)
