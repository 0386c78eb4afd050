# expects: check constants
# says: Your values are right, but NumPy computes them while JAX traces, and the whole grid
#     becomes a constant of the program.
"""Computes with NumPy."""

import jax.numpy as jnp
import numpy as np


def grid(height, width):
    down = (np.arange(height, dtype=np.float32) + np.float32(0.5)) / height * 2 - 1
    right = (np.arange(width, dtype=np.float32) + np.float32(0.5)) / width * 2 - 1
    return jnp.asarray(np.stack(np.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2))
