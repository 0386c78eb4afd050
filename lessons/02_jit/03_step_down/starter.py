"""One step down: gradient descent."""

import jax


def step_down(height, place, rate):
    """Return the place after one step of gradient descent."""
    slope = jax.grad(height)(place)
    # TODO: slope points uphill. Return the place after a step against it.
    return slope
