# expects: check values
"""Begins again at 0 when the list is over."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i % len(FUNCTIONS), FUNCTIONS, x)
