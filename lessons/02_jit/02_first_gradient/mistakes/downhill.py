# expects: check values
# says: Your answer points downhill: its sign is the other one. The gradient points to where the
#     function grows.
"""Turns the direction around."""

import jax


def uphill(height, place):
    return -jax.grad(height)(place)
