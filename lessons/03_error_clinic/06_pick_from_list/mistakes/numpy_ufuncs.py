# expects: check jaxpr
# says: Your branches are NumPy functions, which ask a tracer for its numbers. Branches must be
#     made of JAX functions.
"""Switches among NumPy functions."""

import numpy as np
from jax import lax

FUNCTIONS = [np.sin, np.cos, np.tanh]


def apply_kth(i, x):
    return lax.switch(i, FUNCTIONS, x)
