# expects: zero-gradient at 8
"""Rounds, and has no slope."""

import jax.numpy as jnp


def round_ste(x):
    return jnp.round(x)
