# expects: check values
# says: All your steps have the length of the rate, and on level ground 0 is divided by 0. The
#     gradient is used as it is.
"""Shortens the gradient to length one first."""

import jax
import jax.numpy as jnp


def step_down(height, place, rate):
    slope = jax.grad(height)(place)
    return place - rate * slope / jnp.linalg.norm(slope)
