# expects: numpy-call-on-tracer at 9
"""Squeezes in NumPy."""

import jax.numpy as jnp
import numpy as np


def mse(pred, y):
    column = np.asarray(pred)[:, 0]
    return jnp.mean((column - y) ** 2)
