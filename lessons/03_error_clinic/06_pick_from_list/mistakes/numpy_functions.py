# expects: numpy-call-on-tracer at 7
"""Switches among functions that call NumPy."""

import numpy as np
from jax import lax

FUNCTIONS = [lambda v: np.sin(v), lambda v: np.cos(v), lambda v: np.tanh(v)]


def apply_kth(i, x):
    return lax.switch(i, FUNCTIONS, x)
