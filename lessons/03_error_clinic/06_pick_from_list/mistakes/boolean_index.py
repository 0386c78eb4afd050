# expects: switch-index-not-integer at 11
"""Passes a comparison as an index."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i > 0, FUNCTIONS, x)
