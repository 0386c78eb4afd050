# expects: missing-return at 7
"""Makes the step and returns nothing."""

import jax


def step_down(height, place, rate):
    place = place - rate * jax.grad(height)(place)
