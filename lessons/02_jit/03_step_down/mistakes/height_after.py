# expects: check values
# says: Your answer is the height after the step. The place itself is asked for.
"""Returns the height of the new place."""

import jax


def step_down(height, place, rate):
    return height(place - rate * jax.grad(height)(place))
