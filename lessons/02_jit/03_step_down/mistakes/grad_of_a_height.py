# expects: value-instead-of-function at 8
"""Passes a number to grad."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height(place))(place)
