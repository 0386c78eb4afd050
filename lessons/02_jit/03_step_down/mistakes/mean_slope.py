# expects: check values
# says: You move all coordinates by the same amount. Each has a number of its own in the gradient.
"""Moves all coordinates by the mean of the gradient."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height)(place).mean()
