# expects: check gradient
# says: The value is right, and the slope is -1: of the two places where `x` occurs, the one with
#     the minus is left.
"""Stops x, and lets the part with the minus through: the slope is -1."""

import jax
import jax.numpy as jnp


def round_ste(x):
    return jax.lax.stop_gradient(x) + jnp.round(x) - x
