# expects: check primitive
"""Leaves it to the compiler."""

import jax.numpy as jnp


def global_mean(x):
    return jnp.mean(x)
