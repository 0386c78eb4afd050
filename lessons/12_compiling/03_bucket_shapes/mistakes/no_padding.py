# expects: check values
# says: Your `f` gets the array as it came. Each length is then a program of its own.
"""A program for each length."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)
    return lambda x: compiled(x, np.ones(x.shape[0], bool))
