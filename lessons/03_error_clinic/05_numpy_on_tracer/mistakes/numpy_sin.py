# expects: numpy-call-on-tracer at 9
"""Computes the angles well, and asks NumPy for the sines."""

import numpy as np


def fourier_features(x, freqs):
    angles = 2 * np.pi * x[:, None] * freqs
    sines = np.sin(angles)
    cosines = np.cos(angles)
    return np.concatenate([sines, cosines], axis=-1)
