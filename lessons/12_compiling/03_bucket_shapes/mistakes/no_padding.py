# expects: check values
"""A program for each length."""

import jax
import jax.numpy as jnp
import numpy as np


def bucketed(f):
    compiled = jax.jit(f)
    return lambda x: compiled(x, np.ones(x.shape[0], bool))
