# expects: check gradient
"""Adds x and takes it away again."""

import jax.numpy as jnp


def round_ste(x):
    return x + (jnp.round(x) - x)
