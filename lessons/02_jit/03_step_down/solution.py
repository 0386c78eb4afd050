"""One step down: gradient descent."""

import jax


def step_down(height, place, rate):
    """Return the place after one step of gradient descent."""
    slope = jax.grad(height)(place)
    # Against the slope is down, and the rate makes the step short.
    return place - rate * slope
