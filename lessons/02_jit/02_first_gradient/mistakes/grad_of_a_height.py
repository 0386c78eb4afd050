# expects: check jaxpr
# says: `jax.grad` received a number, the height at this place. It needs the function `height`
#     itself, and the place comes afterwards.
"""Passes a number to grad."""

import jax


def uphill(height, place):
    return jax.grad(height(place))(place)
