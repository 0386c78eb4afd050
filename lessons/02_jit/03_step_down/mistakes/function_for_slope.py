# expects: TypeError at 8
"""Does not call the gradient."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height)
