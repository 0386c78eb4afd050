# expects: check dtype
"""Computes wide and does not go back."""

import jax.numpy as jnp


def halve(x):
    return jnp.asarray(x, jnp.float32) / 2
