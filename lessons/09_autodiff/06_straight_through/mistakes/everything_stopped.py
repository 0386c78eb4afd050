# expects: zero-gradient at 9
"""Stops the whole sum."""

import jax
import jax.numpy as jnp


def round_ste(x):
    return jax.lax.stop_gradient(x + jnp.round(x) - x)
