# expects: check values
# says: Your step goes uphill: you add the gradient. Subtract it.
"""Adds the gradient."""

import jax


def step_down(height, place, rate):
    return place + rate * jax.grad(height)(place)
