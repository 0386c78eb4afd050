# expects: numpy-call-on-tracer at 9
"""Converts the sines and forgets the product."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    angles = 2 * np.pi * np.outer(x, freqs)
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
