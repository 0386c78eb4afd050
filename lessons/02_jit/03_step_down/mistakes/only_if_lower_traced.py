# expects: check values
# says: You stay where you are when the step ends higher. The step is made whatever comes of it.
"""Keeps the old place if the step goes up, in a way that can be traced."""

import jax
import jax.numpy as jnp


def step_down(height, place, rate):
    new = place - rate * jax.grad(height)(place)
    return jnp.where(height(new) < height(place), new, place)
