"""Which way is up: the gradient of a height."""

import jax


def uphill(height, place):
    """Return the gradient of height at place."""
    # The first call makes a function, the second one calls it.
    return jax.grad(height)(place)
