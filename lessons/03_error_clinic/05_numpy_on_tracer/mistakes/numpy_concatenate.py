# expects: numpy-call-on-tracer at 10
"""Converts all but the last call."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    angles = 2 * np.pi * x[:, None] * freqs
    return np.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
