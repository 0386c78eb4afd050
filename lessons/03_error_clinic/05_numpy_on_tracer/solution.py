"""NumPy on a tracer: sines and cosines of many frequencies."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    """Return the sines and then the cosines of 2 pi x f, a row for each element of x."""
    # np.pi is a plain number and may stay.
    angles = 2 * np.pi * x[:, None] * freqs
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
