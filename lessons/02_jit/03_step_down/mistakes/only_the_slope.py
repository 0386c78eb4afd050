# expects: check values
# says: Your answer is the gradient, not the place where a step against it ends.
"""Returns the gradient."""

import jax


def step_down(height, place, rate):
    return jax.grad(height)(place)
