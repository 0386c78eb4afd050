# expects: numpy-call-on-tracer at 9
"""Converts the argument, so that the rest can stay as it is."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    x = np.asarray(x)
    angles = 2 * np.pi * x[:, None] * np.asarray(freqs)
    return jnp.asarray(np.concatenate([np.sin(angles), np.cos(angles)], axis=-1))
