# expects: check jaxpr
# says: `jax.grad` received a number, the height at this place. It needs the function `height`
#     itself, and the place comes afterwards.
"""Passes a number to grad."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height(place))(place)
