# expects: numpy-call-on-tracer at 9
"""Asks for float32 by NumPy's name for it."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    angles = np.float32(2 * np.pi * x[:, None] * freqs)
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
