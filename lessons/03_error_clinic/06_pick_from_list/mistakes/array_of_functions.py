# expects: TypeError at 10
"""Turns the list into an array, which cannot hold functions."""

import jax.numpy as jnp

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return jnp.array(FUNCTIONS)[i](x)
