# expects: branch-operands-missing at 11
"""Expects switch to return a function."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i, FUNCTIONS)(x)
