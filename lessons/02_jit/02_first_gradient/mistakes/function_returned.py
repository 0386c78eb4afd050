# expects: not-a-jax-type at 8
"""Returns the function and does not call it."""

import jax


def uphill(height, place):
    return jax.grad(height)
