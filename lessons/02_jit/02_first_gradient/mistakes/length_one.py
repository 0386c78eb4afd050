# expects: check values
# says: Your answer has the right direction but length 1. How steep the ground is, is a part of the
#     gradient, and on level ground 0 is divided by 0.
"""Shortens the gradient to length one."""

import jax
import jax.numpy as jnp


def uphill(height, place):
    slope = jax.grad(height)(place)
    return slope / jnp.linalg.norm(slope)
