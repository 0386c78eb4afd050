# expects: numpy-call-on-tracer at 9
"""Counts with NumPy."""

import jax.numpy as jnp
import numpy as np


def counts(idx, n_bins):
    return jnp.array(np.bincount(idx, minlength=n_bins)[:n_bins])
