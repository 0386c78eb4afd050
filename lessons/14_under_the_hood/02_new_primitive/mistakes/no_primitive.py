# expects: check primitive
"""Composes what there is, which is right nearly always, and not the task."""

import jax.numpy as jnp


def square(x):
    return jnp.square(x)
