# expects: numpy-buffer-write at 12
"""Fills a NumPy array place by place."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    k = len(freqs)
    out = np.zeros((len(x), 2 * k), np.float32)
    for i in range(len(x)):
        out[i, :k] = jnp.sin(2 * np.pi * x[i] * freqs)
        out[i, k:] = jnp.cos(2 * np.pi * x[i] * freqs)
    return jnp.asarray(out)
