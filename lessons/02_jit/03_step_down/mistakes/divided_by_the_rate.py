# expects: check values
# says: You divide by the rate, so a smaller rate makes a longer step. Multiply by it.
"""Divides by the rate."""

import jax


def step_down(height, place, rate):
    return place - jax.grad(height)(place) / rate
