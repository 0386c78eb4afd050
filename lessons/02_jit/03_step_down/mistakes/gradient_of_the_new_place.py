# expects: check values
# says: You differentiate the height after a step, so the gradient is that of another function. The
#     gradient at the place itself is needed.
"""Differentiates at the wrong place."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(lambda x: height(x - rate * x))(place)
