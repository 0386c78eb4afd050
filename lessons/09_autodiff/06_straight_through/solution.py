"""Straight through: round, and let the gradient pass."""

import jax
import jax.numpy as jnp


def round_ste(x):
    """Return x rounded to whole numbers, with the gradient of x."""
    # Exactly 0, with the slope of x. Adding it changes no bit of a finite value.
    slope_only = x - jax.lax.stop_gradient(x)
    return jax.lax.stop_gradient(jnp.round(x)) + slope_only
