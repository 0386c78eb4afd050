# expects: value-instead-of-function at 11
"""Passes results where functions are required."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i, [function(x) for function in FUNCTIONS])
