# expects: check values
# says: Your answer is the step alone. Add it to the place where it begins.
"""Returns the change, and not the new place."""

import jax


def step_down(height, place, rate):
    return -rate * jax.grad(height)(place)
