# expects: TypeError at 8
"""Multiplies by the pair of the height and the gradient."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.value_and_grad(height)(place)
