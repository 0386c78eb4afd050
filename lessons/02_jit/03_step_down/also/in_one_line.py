"""The step in one expression."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height)(place)
