# expects: numpy-call-on-tracer at 9
"""Multiplies with NumPy's `dot`, which does not pass the work on to JAX as `np.sum` does."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    angles = np.dot(x[:, None], 2 * np.pi * freqs[None, :])
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
